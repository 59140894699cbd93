/** Next calls this once per process, before the first request. */
export async function register(): Promise<void> {
  if (process.env['NEXT_RUNTIME'] === 'nodejs') {
    const { notePeers } = await import('./server/note-peers');
    notePeers();
    const { replaceUnservableMethods } = await import('./server/unservable-methods');
    replaceUnservableMethods();
  }
}
