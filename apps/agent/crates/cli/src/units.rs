//! Numbers, sizes, money and times as people read them. Whole-number arithmetic throughout.

/// `1536` as `1.5 KiB`; below one KiB in bytes. Cut, not rounded up: nothing is shown that is not there.
pub(crate) fn size(bytes: u128) -> String {
    const UNITS: [&str; 5] = ["KiB", "MiB", "GiB", "TiB", "PiB"];
    if bytes < 1024 {
        return format!("{bytes} B");
    }
    let mut unit_bytes = 1024_u128;
    let mut name = UNITS[0];
    for next in &UNITS[1..] {
        if bytes / 1024 < unit_bytes {
            break;
        }
        unit_bytes *= 1024;
        name = next;
    }
    let tenths = bytes % unit_bytes * 10 / unit_bytes;
    format!("{}.{tenths} {name}", thousands(&(bytes / unit_bytes).to_string()))
}

/// The same for a number of bytes that the API tells as text.
pub(crate) fn size_of_text(bytes: &str) -> String {
    bytes.parse().map_or_else(|_| bytes.to_owned(), size)
}

/// `61000000` as `61,000,000`. What is no whole number stays as it is.
pub(crate) fn thousands(digits: &str) -> String {
    let (sign, bare) = digits.strip_prefix('-').map_or(("", digits), |bare| ("-", bare));
    if bare.is_empty() || !bare.bytes().all(|byte| byte.is_ascii_digit()) {
        return digits.to_owned();
    }
    let mut text = sign.to_owned();
    for (at, digit) in bare.chars().enumerate() {
        if at > 0 && (bare.len() - at) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Millionths of a dollar, from decimal text with up to six places. `None` for anything else.
pub(crate) fn micro_dollars(decimal: &str) -> Option<i128> {
    let (sign, bare) = decimal.strip_prefix('-').map_or((1, decimal), |bare| (-1, bare));
    let (whole, fraction) = bare.split_once('.').unwrap_or((bare, ""));
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || fraction.len() > 6 || !is_digits(whole) || !is_digits(fraction) {
        return None;
    }
    let whole: i128 = whole.parse().ok()?;
    let fraction: i128 = format!("{fraction:0<6}").parse().ok()?;
    Some(sign * (whole.checked_mul(1_000_000)? + fraction))
}

/// `$1,234.57`, rounded half away from zero to cents.
pub(crate) fn dollars(micro: i128) -> String {
    let cents = (micro.unsigned_abs() + 5_000) / 10_000;
    let sign = if micro < 0 && cents > 0 { "-" } else { "" };
    format!("{sign}${}.{:02}", thousands(&(cents / 100).to_string()), cents % 100)
}

/// `2026-11-02T09:30:00.000Z` as `2026-11-02 09:30 UTC`.
pub(crate) fn instant(rfc3339: &str) -> String {
    match (rfc3339.get(..10), rfc3339.get(11..16), rfc3339.ends_with('Z')) {
        (Some(day), Some(time), true) => format!("{day} {time} UTC"),
        _ => rfc3339.to_owned(),
    }
}

/// The same for what may not have happened.
pub(crate) fn instant_or(rfc3339: Option<&String>, otherwise: &str) -> String {
    rfc3339.map_or_else(|| otherwise.to_owned(), |text| instant(text))
}

/// `yes` or `no`.
pub(crate) fn yes_no(value: bool) -> String {
    if value { "yes" } else { "no" }.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_use_the_largest_unit_that_leaves_a_whole() {
        for (bytes, text) in [
            (0, "0 B"),
            (1023, "1023 B"),
            (1024, "1.0 KiB"),
            (1536, "1.5 KiB"),
            (1_048_575, "1023.9 KiB".replace("1023", "1,023").as_str()),
            (1_048_576, "1.0 MiB"),
            (73_014_444_032, "68.0 GiB"),
            (u128::from(u64::MAX), "16,383.9 PiB"),
        ] {
            assert_eq!(size(bytes), text);
        }
        assert_eq!(size_of_text("a lot"), "a lot");
    }

    #[test]
    fn money_is_exact_and_rounded_once() {
        for (text, shown) in [
            ("0", "$0.00"),
            ("0.004999", "$0.00"),
            ("0.005", "$0.01"),
            ("1234.567890", "$1,234.57"),
            ("999999.995", "$1,000,000.00"),
            ("-3.40", "-$3.40"),
            ("-0.001", "$0.00"),
        ] {
            assert_eq!(micro_dollars(text).map(dollars).as_deref(), Some(shown), "{text}");
        }
        for wrong in ["", ".", "1e3", "1.2345678", "$1", "--1"] {
            assert_eq!(micro_dollars(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn times_are_told_to_the_minute_in_utc() {
        assert_eq!(instant("2026-11-02T09:30:00.000Z"), "2026-11-02 09:30 UTC");
        assert_eq!(instant("yesterday"), "yesterday");
        assert_eq!(instant_or(None, "never"), "never");
    }

    #[test]
    fn thousands_are_set_apart() {
        for (digits, text) in [("7", "7"), ("1000", "1,000"), ("-1234567", "-1,234,567"), ("x1", "x1")] {
            assert_eq!(thousands(digits), text);
        }
    }
}
