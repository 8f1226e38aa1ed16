/** What only a developer's machine shows. */
export const dev = {
  mailbox: "Mailbox",
  mailboxLead: "Every mail of this machine, newest first. None of them leaves it.",
  mailboxEmpty: "No mails yet",
  mailboxEmptyText: "Ask for a new password, or invite somebody.",
  mailboxOf: "Mails to {{to}}",
  all: "All mails",
  subject: "Subject",
  to: "To",
  sent: "Sent",
  asHtml: "As HTML",
  asText: "As plain text",
};
