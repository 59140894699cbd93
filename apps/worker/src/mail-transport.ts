// SMTP, through nodemailer.
import type { WaitingMail } from '@penstock/tenancy';
import { createTransport } from 'nodemailer';

export interface MailTransport {
  /** Resolves once the server has accepted the mail. */
  send(mail: WaitingMail): Promise<void>;
  close(): void;
}

const TIMEOUT_MS = 20_000;

export function createSmtpTransport({ url, from }: { url: string; from: string }): MailTransport {
  const transport = createTransport({
    url,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    // Our mails are plain text. Nothing in them may be read from files or URLs.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send(mail) {
      await transport.sendMail({
        from,
        to: mail.to,
        subject: mail.subject,
        text: mail.text,
        // The same for every attempt, so that a mail sent twice can be recognized as a duplicate.
        messageId: `<${mail.id}@penstock>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
      });
    },
    close: () => transport.close(),
  };
}
