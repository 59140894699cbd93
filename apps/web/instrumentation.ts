/** Next calls this once per process, before the first request. */
export async function register(): Promise<void> {
  if (process.env['NEXT_RUNTIME'] === 'nodejs') {
    const { notePeers } = await import('./server/note-peers');
    notePeers();
  }
}
