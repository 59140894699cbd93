// Simulates the death of the process at a point between the product and Stripe.
import type { StripeGateway } from '../../stripe/index.ts';

/** Like the death of a process: nothing in the product catches it. */
export class Killed extends Error {
  override readonly name = 'Killed';
}

/** Around each call to Stripe: the request was never sent, or its response never read. */
export type KillPoint =
  `${'before' | 'after'} ${'send' | 'findEffect' | 'readInvoice' | 'readCustomer' | 'readSetup' | 'readReversals'}`;

/** @param isFatal called at each point */
export function killable(gateway: StripeGateway, isFatal: (point: KillPoint) => boolean): StripeGateway {
  function around<Parameters extends unknown[], Result>(
    name: 'send' | 'findEffect' | 'readInvoice' | 'readCustomer' | 'readSetup' | 'readReversals',
    call: (...parameters: Parameters) => Promise<Result>,
  ): (...parameters: Parameters) => Promise<Result> {
    return async (...parameters) => {
      if (isFatal(`before ${name}`)) {
        throw new Killed(`before ${name}`);
      }
      const result = await call(...parameters);
      if (isFatal(`after ${name}`)) {
        throw new Killed(`after ${name}`);
      }
      return result;
    };
  }
  return {
    ...gateway,
    send: around('send', gateway.send),
    findEffect: around('findEffect', gateway.findEffect),
    readInvoice: around('readInvoice', gateway.readInvoice),
    readCustomer: around('readCustomer', gateway.readCustomer),
    readSetup: around('readSetup', gateway.readSetup),
    readReversals: around('readReversals', gateway.readReversals),
  };
}

/** Runs a job. Returns true if the process died in it. */
export async function survives(job: () => Promise<unknown>): Promise<boolean> {
  try {
    await job();
    return false;
  } catch (error) {
    if (error instanceof Killed) {
      return true;
    }
    throw error;
  }
}
