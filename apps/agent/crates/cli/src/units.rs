//! Formats numbers, sizes, money and times for people. Uses only integer arithmetic, except for measurements.

/// Formats `1536` as `1.5 KiB`, and sizes below 1 KiB in bytes. Rounds down, so that the output never exceeds the
/// actual size.
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

/// Like [`size`], for a number of bytes that the API returns as text.
pub(crate) fn size_of_text(bytes: &str) -> String {
    bytes.parse().map_or_else(|_| bytes.to_owned(), size)
}

/// Formats `61000000` as `61,000,000`. Text other than a whole number stays unchanged.
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

/// Parses decimal text with up to six decimals to millionths of a dollar. `None` for anything else.
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

/// Formats as `$1,234.57`, rounded half away from zero to cents.
pub(crate) fn dollars(micro: i128) -> String {
    let cents = (micro.unsigned_abs() + 5_000) / 10_000;
    let sign = if micro < 0 && cents > 0 { "-" } else { "" };
    format!("{sign}${}.{:02}", thousands(&(cents / 100).to_string()), cents % 100)
}

/// Formats `2026-11-02T09:30:00.000Z` as `2026-11-02 09:30 UTC`.
pub(crate) fn instant(rfc3339: &str) -> String {
    match (rfc3339.get(..10), rfc3339.get(11..16), rfc3339.ends_with('Z')) {
        (Some(day), Some(time), true) => format!("{day} {time} UTC"),
        _ => rfc3339.to_owned(),
    }
}

/// Like [`instant`], for an event that may not have happened.
pub(crate) fn instant_or(rfc3339: Option<&String>, otherwise: &str) -> String {
    rfc3339.map_or_else(|| otherwise.to_owned(), |text| instant(text))
}

/// Formats milliseconds since the Unix epoch as `2026-11-18 11:06:40 UTC`.
pub(crate) fn instant_of_ms(since_epoch_ms: u64) -> String {
    let seconds = since_epoch_ms / 1_000;
    let (day, of_day) = (seconds / 86_400, seconds % 86_400);
    let (year, month, day) = civil_date(day);
    let (hour, minute, second) = (of_day / 3_600, of_day / 60 % 60, of_day % 60);
    format!("{year}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02} UTC")
}

/// Parses an RFC 3339 time, such as `2026-11-23T20:00:00Z` or `2026-11-23T21:00:00.5+01:00`, to milliseconds since the
/// Unix epoch.
pub(crate) fn parse_instant(text: &str) -> Result<u64, String> {
    instant_ms(text).ok_or_else(|| {
        "use a time such as 2026-11-23T20:00:00Z or 2026-11-23T21:00:00+01:00, not before 1970".to_owned()
    })
}

/// Returns `None` for another format, a nonexistent date, or a date before 1970.
fn instant_ms(text: &str) -> Option<u64> {
    let (date, time) = text.split_once(['T', 't'])?;
    let (time, offset_minutes) = split_offset(time)?;
    let (time, fraction_ms) = match time.split_once('.') {
        Some((time, fraction)) => (time, milliseconds(fraction)?),
        None => (time, 0),
    };
    let [year, month, day_of_month] = numbers(date, '-')?;
    let [hour, minute, second] = numbers(time, ':')?;
    let is_time = hour < 24 && minute < 60 && second < 60;
    // A year has at most 366 days, so the day is at or after this one.
    let earliest = year.checked_sub(1970)?.checked_mul(365)?;
    let latest = earliest.checked_add(366 + (year - 1970) / 4)?;
    let day = (earliest..=latest).find(|day| civil_date(*day) == (year, month, day_of_month))?;
    let local_seconds = is_time.then_some(day * 86_400 + hour * 3_600 + minute * 60 + second)?;
    let seconds = local_seconds.checked_add_signed(-60 * offset_minutes)?;
    Some(seconds * 1_000 + fraction_ms)
}

/// Splits a time into the time of day and its offset from UTC in minutes.
fn split_offset(time: &str) -> Option<(&str, i64)> {
    if let Some(time) = time.strip_suffix(['Z', 'z']) {
        return Some((time, 0));
    }
    let at = time.rfind(['+', '-'])?;
    let (time, offset) = time.split_at(at);
    let sign = if offset.starts_with('-') { -1 } else { 1 };
    let (hours, minutes) = offset.get(1..)?.split_once(':')?;
    let two_digits = |text: &str| {
        (text.len() == 2)
            .then(|| text.parse::<u8>().ok())
            .flatten()
            .map(i64::from)
    };
    let (hours, minutes) = (two_digits(hours)?, two_digits(minutes)?);
    (hours < 24 && minutes < 60).then_some((time, sign * (hours * 60 + minutes)))
}

/// Milliseconds of a fraction of a second. Truncates finer digits.
fn milliseconds(fraction: &str) -> Option<u64> {
    let is_number = !fraction.is_empty() && fraction.bytes().all(|byte| byte.is_ascii_digit());
    let digits: String = fraction.chars().chain("00".chars()).take(3).collect();
    is_number.then(|| digits.parse().ok()).flatten()
}

/// Parses three whole numbers of at most four digits.
fn numbers(text: &str, separator: char) -> Option<[u64; 3]> {
    let parts: Vec<u64> = text
        .split(separator)
        .map(|part| {
            let is_number = (1..=4).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
            is_number.then(|| part.parse().ok()).flatten()
        })
        .collect::<Option<_>>()?;
    parts.try_into().ok()
}

/// The Gregorian date of a day since 1970-01-01. Years start in March, so that a leap day is the last day of its year.
fn civil_date(day_of_epoch: u64) -> (u64, u64, u64) {
    const DAYS_TO_EPOCH: u64 = 719_468; // from 0000-03-01
    const ERA_DAYS: u64 = 146_097; // 400 years
    let day = day_of_epoch + DAYS_TO_EPOCH;
    let (era, of_era) = (day / ERA_DAYS, day % ERA_DAYS);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * of_year + 2) / 153;
    let day_of_month = of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 {
        month_from_march + 3
    } else {
        month_from_march - 9
    };
    (400 * era + year_of_era + u64::from(month <= 2), month, day_of_month)
}

/// Formats a measured value in the API's unit, or a dash if there is none.
pub(crate) fn reading(value: Option<f64>, unit: &str) -> String {
    let Some(value) = value else {
        return "-".to_owned();
    };
    match unit {
        "B/s" => format!("{}/s", size(whole(value))),
        "KiB" => size(whole(value * 1024.0)),
        "ms" => format!("{value:.1} ms"),
        "1/s" => format!("{value:.1}/s"),
        "ratio" => format!("{:.1} %", value * 100.0),
        "count" => thousands(&format!("{value:.0}")),
        _ => format!("{value:.2} {unit}"),
    }
}

/// Truncates to a whole number. Negative numbers and NaN become 0.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a cast from float to integer saturates, and is meant to cut"
)]
fn whole(value: f64) -> u128 {
    value as u128
}

/// Formats a boolean as `yes` or `no`.
pub(crate) fn yes_no(value: bool) -> String {
    if value { "yes" } else { "no" }.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_use_the_largest_unit_that_is_at_least_one() {
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
    fn times_are_shown_to_the_minute_in_utc() {
        assert_eq!(instant("2026-11-02T09:30:00.000Z"), "2026-11-02 09:30 UTC");
        assert_eq!(instant("yesterday"), "yesterday");
        assert_eq!(instant_or(None, "never"), "never");
    }

    #[test]
    fn milliseconds_become_a_gregorian_date_and_time() {
        for (ms, text) in [
            (0, "1970-01-01 00:00:00 UTC"),
            (951_782_399_999, "2000-02-28 23:59:59 UTC"),
            (951_782_400_000, "2000-02-29 00:00:00 UTC"),
            (1_767_225_599_000, "2025-12-31 23:59:59 UTC"),
            (1_795_000_000_000, "2026-11-18 11:06:40 UTC"),
            (4_107_542_400_000, "2100-03-01 00:00:00 UTC"),
        ] {
            assert_eq!(instant_of_ms(ms), text);
        }
    }

    #[test]
    fn parses_only_rfc_3339_times() {
        for (text, ms) in [
            ("1970-01-01T00:00:00Z", 0),
            ("2000-02-29T00:00:00Z", 951_782_400_000),
            ("2025-12-31T23:59:59Z", 1_767_225_599_000),
            ("2100-03-01T00:00:00Z", 4_107_542_400_000),
            ("2000-02-29T01:30:00+01:30", 951_782_400_000),
            ("2000-02-28T19:00:00-05:00", 951_782_400_000),
            ("2000-02-29t00:00:00z", 951_782_400_000),
            ("2000-02-29T00:00:00-00:00", 951_782_400_000),
            ("2000-02-29T00:00:00.5Z", 951_782_400_500),
            ("2000-02-29T00:00:00.123999999+00:00", 951_782_400_123),
        ] {
            assert_eq!(parse_instant(text), Ok(ms), "{text}");
        }
        for text in [
            "2026-11-23",
            "2026-11-23T20:00:00",
            "2026-11-23T20:00:00+1:00",
            "2026-11-23T20:00:00+24:00",
            "2026-11-23T20:00:00+0100",
            "2026-11-23T20:00:00.Z",
            "2026-11-23T20:00:00.+1Z",
            "1970-01-01T00:30:00+01:00",
            "2026-02-29T00:00:00Z",
            "2026-13-01T00:00:00Z",
            "1969-12-31T23:59:59Z",
            "2026-11-23T24:00:00Z",
            "+2026-11-23T20:00:00Z",
        ] {
            assert!(parse_instant(text).is_err(), "{text}");
        }
    }

    #[test]
    fn readings_carry_their_unit() {
        for (value, unit, text) in [
            (1536.0, "B/s", "1.5 KiB/s"),
            (2048.0, "KiB", "2.0 MiB"),
            (-1.0, "B/s", "0 B/s"),
            (4.06, "ms", "4.1 ms"),
            (40.0, "1/s", "40.0/s"),
            (0.97, "ratio", "97.0 %"),
            (1234.0, "count", "1,234"),
            (0.2, "cores", "0.20 cores"),
        ] {
            assert_eq!(reading(Some(value), unit), text);
        }
        assert_eq!(reading(None, "ms"), "-");
    }

    #[test]
    fn thousands_are_separated() {
        for (digits, text) in [("7", "7"), ("1000", "1,000"), ("-1234567", "-1,234,567"), ("x1", "x1")] {
            assert_eq!(thousands(digits), text);
        }
    }
}
