// The secret that programs use for the public API: `psk_api_<32 random>_<6 checksum>`.
import { keyForm } from './key-text.ts';

/** Generates and checks API keys. */
export const { generate: generateApiKey, parse: parseApiKey } = keyForm('psk_api_', 'an API key');
