// Likely reasons why an agent did not respond. Browsers do not tell pages, so what can be verified comes first. Pure.

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3})$/;

/**
 * @param pageProtocol `https:` or `http:`, of this page
 * @param url the agent's origin
 */
export function likelyCauses(pageProtocol: string, url: string): string[] {
  const { protocol, hostname } = new URL(url);
  const isLoopback = LOOPBACK.test(hostname);
  const isMixed = pageProtocol === 'https:' && protocol === 'http:' && !isLoopback;
  return [
    ...(isMixed
      ? [
          'This page uses HTTPS, so your browser blocks plain HTTP requests to other machines. Put a TLS load balancer in front of the agents and start them with --message-browser-url https://….',
        ]
      : []),
    ...(isLoopback
      ? [
          'The agent’s URL points to your own machine. If the agent runs elsewhere, start it with --message-browser-url and an address that you can reach.',
        ]
      : [
          'Your computer can’t reach this address. It may be private. Connect to the agent’s network, or ask for an address that you can reach (--message-browser-url).',
          'Your browser denied this site access to devices on your network. Allow it in the browser’s site settings.',
        ]),
    'A firewall or load balancer blocks the request.',
    'The agent has just stopped. Try again to use another agent.',
  ];
}
