//! AlterClientQuotas (key 49): versions 0 and 1.

use crate::error_code::ErrorCode;
use crate::float64::Float64;

api! { AlterClientQuotas: AlterClientQuotasRequest -> AlterClientQuotasResponse, versions 0..=1, flexible from 1 }

fields! {
    AlterClientQuotasRequest {
        entries: Vec<QuotaAlteration>, 0..;
        validate_only: bool, 0..;
    }
}

fields! {
    /// Named `EntryData` in Kafka's request schema.
    QuotaAlteration {
        entity: Vec<QuotaEntity>, 0..;
        ops: Vec<OpData>, 0..;
    }
}

fields! {
    /// Named `EntityData` in Kafka's schema.
    QuotaEntity {
        entity_type: String, 0..;
        entity_name: Option<String>, 0.., null 0..;
    }
}

fields! {
    OpData {
        key: String, 0..;
        value: Float64, 0..;
        remove: bool, 0..;
    }
}

fields! {
    AlterClientQuotasResponse {
        throttle_time_ms: i32, 0..;
        entries: Vec<AlteredQuotas>, 0..;
    }
}

fields! {
    /// Named `EntryData` in Kafka's response schema.
    AlteredQuotas {
        error_code: ErrorCode, 0..;
        error_message: Option<String>, 0.., null 0..;
        entity: Vec<QuotaEntity>, 0..;
    }
}
