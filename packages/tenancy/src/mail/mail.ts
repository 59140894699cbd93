// A mail to one person, about one thing.
export interface MailMessage {
  to: string;
  subject: string;
  /** Plain text; the link stands in it too. */
  text: string;
  /** The one link that the mail is about, for the mailbox page. */
  link: string | null;
}
