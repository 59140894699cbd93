// A mail to one person about one subject.
export interface MailMessage {
  to: string;
  subject: string;
  /** Plain text. Includes the link. */
  text: string;
  /** The mail's one link, for the mailbox page. */
  link: string | null;
}
