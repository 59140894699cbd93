// Notes who has connected, as a proxy would: Next believes whatever address the sender wrote into the header.

/** @param noted the header that came @returns the header with the peer as the last hop */
export function noteHop(noted: string | string[] | undefined, peer: string | undefined): string {
  const hops = [noted ?? []].flat().join(', ');
  const last = peer ?? 'unknown';
  return hops === '' ? last : `${hops}, ${last}`;
}
