// Stored bytes that this release cannot read.

/** The bytes are not valid in this version: damaged, truncated, or from a later version. */
export class CorruptDataError extends Error {
  override name = 'CorruptDataError';
}
