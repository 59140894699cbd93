import type { Mechanism } from './derive-verifier';

export interface SignIn {
  user: string;
  password: string;
  mechanism: Mechanism;
}
