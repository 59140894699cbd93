//! DescribeClientQuotas (key 48): versions 0 and 1.

use crate::error_code::ErrorCode;
use crate::float64::Float64;

api! { DescribeClientQuotas: DescribeClientQuotasRequest -> DescribeClientQuotasResponse, versions 0..=1, flexible from 1 }

fields! {
    DescribeClientQuotasRequest {
        components: Vec<ComponentData>, 0..;
        strict: bool, 0..;
    }
}

fields! {
    ComponentData {
        entity_type: String, 0..;
        match_type: i8, 0..;
        matched: Option<String>, 0.., null 0..;
    }
}

fields! {
    DescribeClientQuotasResponse {
        throttle_time_ms: i32, 0..;
        error_code: ErrorCode, 0..;
        error_message: Option<String>, 0.., null 0..;
        entries: Option<Vec<DescribedQuotas>>, 0.., null 0..;
    }
}

fields! {
    /// Named `EntryData` in Kafka's schema.
    DescribedQuotas {
        entity: Vec<DescribedQuotaEntity>, 0..;
        values: Vec<ValueData>, 0..;
    }
}

fields! {
    /// Named `EntityData` in Kafka's schema.
    DescribedQuotaEntity {
        entity_type: String, 0..;
        entity_name: Option<String>, 0.., null 0..;
    }
}

fields! {
    ValueData {
        key: String, 0..;
        value: Float64, 0..;
    }
}
