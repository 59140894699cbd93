// The secret of a program that uses the public API: `psk_api_<32 random>_<6 checksum>`.
import { keyForm } from './key-text.ts';

/** Makes and checks the text of API keys. */
export const { generate: generateApiKey, parse: parseApiKey } = keyForm('psk_api_', 'an API key');
