//! Aligns text for people. Pure; callers decide where to print it.

use crate::error::visible;

const GAP: &str = "  ";

/// A column's heading and alignment.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Column {
    /// Aligned to the left, for words.
    Left(&'static str),
    /// Right-aligned, so that the digits of numbers line up.
    Right(&'static str),
}

impl Column {
    fn heading(self) -> &'static str {
        match self {
            Self::Left(heading) | Self::Right(heading) => heading,
        }
    }
}

/// Rows below column headings.
#[derive(Debug)]
pub(crate) struct Table<const N: usize> {
    columns: [Column; N],
    rows: Vec<[String; N]>,
}

impl<const N: usize> Table<N> {
    pub(crate) fn new(columns: [Column; N], rows: impl IntoIterator<Item = [String; N]>) -> Self {
        Self {
            columns,
            rows: rows.into_iter().map(|row| row.map(|cell| visible(&cell))).collect(),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Formats one line per row, without trailing spaces. `before` and `after` surround the headings.
    pub(crate) fn draw(&self, before: &str, after: &str) -> String {
        let headings = self.columns.map(|column| column.heading().to_owned());
        let widths: [usize; N] = std::array::from_fn(|at| {
            std::iter::once(&headings)
                .chain(&self.rows)
                .map(|row| row[at].chars().count())
                .max()
                .unwrap_or(0)
        });
        let line = |row: &[String; N]| {
            let cells: Vec<String> = std::iter::zip(self.columns, std::iter::zip(row, widths))
                .map(|(column, (cell, width))| match column {
                    Column::Left(_) => format!("{cell:<width$}"),
                    Column::Right(_) => format!("{cell:>width$}"),
                })
                .collect();
            cells.join(GAP).trim_end().to_owned()
        };
        let mut text = format!("{before}{}{after}\n", line(&headings));
        for row in &self.rows {
            text.push_str(&line(row));
            text.push('\n');
        }
        text
    }
}

/// Formats one fact per line, with names before values.
pub(crate) fn draw_facts(facts: &[(&str, String)]) -> String {
    let width = facts.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    facts
        .iter()
        .map(|(name, value)| format!("{name:<width$}{GAP}{}", visible(value)).trim_end().to_owned() + "\n")
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_fit_their_widest_cell_and_numbers_align_right() {
        let table = Table::new(
            [Column::Left("NAME"), Column::Right("RECORDS"), Column::Left("STATE")],
            [
                ["übersicht".into(), "7".into(), "Stable".into()],
                ["a".into(), "12,000,000".into(), String::new()],
            ],
        );
        assert_eq!(
            table.draw("", ""),
            "NAME          RECORDS  STATE\nübersicht           7  Stable\na          12,000,000\n"
        );
    }

    #[test]
    fn only_headings_are_between_the_marks() {
        let table = Table::new([Column::Left("NAME")], [["a".into()]]);
        assert_eq!(table.draw("<", ">"), "<NAME>\na\n");
    }

    #[test]
    fn foreign_text_cannot_control_the_terminal_or_start_a_line() {
        let table = Table::new([Column::Left("NAME")], [["\u{1b}[31mred\nROOT".into()]]);
        assert_eq!(table.draw("", ""), "NAME\n\u{fffd}[31mred\u{fffd}ROOT\n");
        assert!(!draw_facts(&[("Name", "\u{1b}]0;x\u{7}".into())]).contains('\u{1b}'));
    }

    #[test]
    fn facts_line_up() {
        assert_eq!(
            draw_facts(&[("Id", "1".into()), ("Region", "eu".into())]),
            "Id      1\nRegion  eu\n"
        );
    }
}
