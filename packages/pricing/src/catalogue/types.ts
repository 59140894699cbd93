// The type of a catalogue entry. An entry is dated and never edited: a changed price is a new entry with a later date.

export type PriceUnit =
  | 'hour'
  | '15 minutes'
  | 'minute'
  | 'GB-month'
  | 'GiB-month'
  | 'GB'
  | 'GiB'
  | '1,000 requests'
  | 'MB/s-month';

/** A step of a graduated price: it applies to the part of the quantity up to `upTo` (null: unlimited). */
export interface PriceTier {
  readonly upTo: string | null;
  readonly usd: string;
}

export type Provider =
  | 'AWS'
  | 'Google Cloud'
  | 'Azure'
  | 'Amazon MSK'
  | 'WarpStream'
  | 'Bufstream'
  | 'Penstock'
  | 'Reference';

export interface CatalogueEntry {
  /** The priced item. Entries of one item replace each other by date. */
  readonly item: string;
  readonly provider: Provider;
  readonly label: string;
  readonly unit: PriceUnit;
  /** First day of the price, `YYYY-MM-DD`; for a price of unknown age the day of its source. */
  readonly from: string;
  readonly tiers: readonly PriceTier[];
  readonly source: string;
  /** Day of the source's copy, `YYYY-MM-DD` or as precise as known. */
  readonly sourceDate: string;
  /** False when no copy of the vendor's own page was found. The price is then shown as unverified and can be edited. */
  readonly verified: boolean;
  readonly note?: string;
}
