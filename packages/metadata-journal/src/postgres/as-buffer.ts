/** Returns the bytes as a Buffer, which the driver sends in binary form. It would send any other view as text. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
