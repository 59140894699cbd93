// Validation rules for agent keys. Client-safe.
import { z } from 'zod';

export const agentKeyName = z.string().trim().min(1, 'Enter a name for the key.').max(64, 'Use at most 64 characters.');
