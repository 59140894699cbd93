// Repeats a change that was refused until the user confirms their identity. The form that made it keeps its input and
// stays pending meanwhile.
import type { AppRouter } from '@penstock/api';
import type { TRPCLink } from '@trpc/client';
import { observable, type Unsubscribable } from '@trpc/server/observable';
import { CONFIRMATION_REQUIRED, type Confirmations } from './confirmations';
import { toFailure } from './failure';

export function confirmationLink(confirmations: Confirmations): TRPCLink<AppRouter> {
  return () =>
    ({ next, op }) =>
      observable((observer) => {
        let isRepeated = false;
        let isOver = false;
        let running: Unsubscribable | undefined;
        const run = (): void => {
          running = next(op).subscribe({
            next: (result) => observer.next(result),
            complete: () => observer.complete(),
            error: (error) => {
              const isAsked = op.type === 'mutation' && toFailure(error).code === CONFIRMATION_REQUIRED;
              if (!isAsked || isRepeated) {
                observer.error(error);
                return;
              }
              isRepeated = true;
              void confirmations.ask().then((isConfirmed) => {
                if (isOver) {
                  return;
                }
                if (isConfirmed) {
                  run();
                } else {
                  observer.error(error);
                }
              });
            },
          });
        };
        run();
        return () => {
          isOver = true;
          running?.unsubscribe();
        };
      });
}
