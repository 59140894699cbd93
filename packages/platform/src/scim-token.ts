// The secret with which an identity provider provisions members: `psk_scim_<32 random>_<6 checksum>`.
import { keyForm } from './key-text.ts';

/** Generates and checks SCIM tokens. */
export const { generate: generateScimToken, parse: parseScimToken } = keyForm('psk_scim_', 'a SCIM token');
