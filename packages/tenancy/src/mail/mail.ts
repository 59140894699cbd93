// A mail to one person about one subject.
export interface MailMessage {
  to: string;
  subject: string;
  /** Plain text. Includes the link. */
  text: string;
  /** The mail's one link, for the mailbox page. */
  link: string | null;
}

/** Prevents line breaks in a name from adding lines or headers to a mail. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
