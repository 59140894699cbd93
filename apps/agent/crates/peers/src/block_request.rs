//! The path of a block request: `/v1/files/<file id>/<file bytes>/<start>-<end>`.

use penstock_store::{BLOCK_BYTES, FileRange};
use uuid::Uuid;

/// Formats the path that requests a range.
pub(crate) fn path_of(range: &FileRange) -> String {
    let FileRange {
        file_id,
        file_bytes,
        start,
        end,
    } = range;
    format!("/v1/files/{}/{file_bytes}/{start}-{end}", file_id.hyphenated())
}

/// Parses the range in a path. `None` unless it is formatted exactly as by [`path_of`], within the file, and no longer
/// than a block.
pub(crate) fn range_of(path: &str) -> Option<FileRange> {
    let mut parts = path.strip_prefix("/v1/files/")?.split('/');
    let (file_id, file_bytes, range) = (parts.next()?, parts.next()?, parts.next()?);
    let (start, end) = range.split_once('-')?;
    let range = FileRange {
        file_id: Uuid::try_parse(file_id).ok()?,
        file_bytes: file_bytes.parse().ok()?,
        start: start.parse().ok()?,
        end: end.parse().ok()?,
    };
    let is_sound = range.start < range.end && range.end <= range.file_bytes && range.end - range.start <= BLOCK_BYTES;
    (is_sound && path_of(&range) == path).then_some(range)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_round_trips_through_its_path() {
        let range = FileRange {
            file_id: Uuid::now_v7(),
            file_bytes: 100 << 20,
            start: 16 << 20,
            end: 32 << 20,
        };
        assert_eq!(range_of(&path_of(&range)), Some(range));
    }

    #[test]
    fn refuses_any_other_path() {
        let id = "01920000-0000-7000-8000-000000000001";
        assert!(range_of(&format!("/v1/files/{id}/10/0-10")).is_some());
        for path in [
            String::new(),
            "/".to_owned(),
            "/metrics".to_owned(),
            format!("/v2/files/{id}/10/0-10"),
            format!("/v1/files/{id}/10/0-10/"),
            format!("/v1/files/{id}/10/0-10?x"),
            format!("/v1/files/{id}/10/0-11"),
            format!("/v1/files/{id}/10/5-5"),
            format!("/v1/files/{id}/10/6-5"),
            format!("/v1/files/{id}/10/+0-10"),
            format!("/v1/files/{id}/010/0-10"),
            format!("/v1/files/{id}/10/-1-10"),
            format!("/v1/files/{{{id}}}/10/0-10"),
            format!("/v1/files/../{id}/10/0-10"),
            format!("/v1/files/{id}/99999999999/0-16777217"),
            format!("/v1/files/{id}/18446744073709551616/0-10"),
        ] {
            assert_eq!(range_of(&path), None, "{path}");
        }
    }
}
