// Why an agent may not have answered: browsers do not tell pages, so what can be known is put first. Pure.

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
          'This page came by https, and a browser lets such a page call plain http on its own machine only. Put a load balancer with TLS in front of the agents and start them with --message-browser-url https://….',
        ]
      : []),
    ...(isLoopback
      ? [
          'The agent tells browsers to call this very machine. If it runs elsewhere, start it with --message-browser-url and an address that you can reach.',
        ]
      : [
          'Your computer cannot reach this address: it may be private. Connect to the network in which the agent runs, or ask for an address that you can reach (--message-browser-url).',
          'Your browser asked whether this site may reach devices on your network, and was told no. Allow it in the site’s settings.',
        ]),
    'A firewall or a load balancer in between does not let the request through.',
    'The agent has just stopped: another one may answer.',
  ];
}
