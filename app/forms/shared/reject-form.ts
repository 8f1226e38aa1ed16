import type { Submission, SubmissionResult } from "@conform-to/react";
import { packMessage, type UserMessage } from "./user-message";

/** The parts of a service's expected failure that a form can show. */
export interface FormFailure {
  readonly userMessage: UserMessage;
  readonly fields: Readonly<Record<string, readonly UserMessage[]>>;
}

/**
 * Returns a form's result after a service has rejected it. Messages are shown beside the fields that they name, and otherwise above the form.
 * @param hideFields fields whose typed values are not part of the result, because they are secret
 */
export function rejectForm<Form>(
  submission: Submission<Form, string[]>,
  failure: FormFailure,
  hideFields: (keyof Form & string)[] = [],
): SubmissionResult<string[]> {
  const fields = Object.entries(failure.fields);
  return submission.reply({
    hideFields: hideFields as never,
    ...(fields.length > 0
      ? {
          fieldErrors: Object.fromEntries(
            fields.map(([name, messages]) => [name, messages.map(packMessage)]),
          ),
        }
      : { formErrors: [packMessage(failure.userMessage)] }),
  });
}
