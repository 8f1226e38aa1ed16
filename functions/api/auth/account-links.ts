import * as z from "zod";
import { newPasswordField } from "~/domain/auth/password.schema";
import { field } from "~/domain/shared/fields.schema";
import { PASSWORD_MAX, PASSWORD_MIN } from "~/domain/shared/limits";
import { USER_STATUS_WIRE } from "~/domain/users/user-status";
import { call, type ProblemCode } from "../core/call";
import { describe } from "../core/fields";
import { PERMISSION_TEXTS } from "../core/permission-texts";
import { readSession } from "../core/request";

const token = describe(
  field<string>((value) =>
    typeof value === "string" && value !== "" ? { value } : { error: "shared-owners:errors.field.required" },
  ),
  { type: "string", minLength: 1, description: "The token of the mail's link." },
);
const LINK_PROBLEMS = ["link_unknown", "link_used", "link_expired"] as const satisfies readonly ProblemCode[];

/** Calls for links in mails about an account, except the link for a new password. */
export const accountLinkCalls = [
  call({
    id: "acceptInvitation",
    method: "POST",
    path: "/v1/invitations/accept",
    tag: "account",
    summary: "Accept an invitation: confirm the email address and set the password",
    description: "It creates no session.",
    who: "anyone",
    may: PERMISSION_TEXTS.link,
    body: z.object({
      token,
      password: describe(newPasswordField, {
        type: "string",
        minLength: PASSWORD_MIN,
        maxLength: PASSWORD_MAX,
      }),
    }),
    response: z
      .object({ status: z.string().meta({ description: "The account's status after the call." }) })
      .meta({ id: "AcceptedInvitation" }),
    problems: [...LINK_PROBLEMS, "weak_password"],
    handle: async ({ services, body }) => {
      const { status } = await services.invitations.acceptInvitation(body);
      return { status: USER_STATUS_WIRE[status] };
    },
  }),

  call({
    id: "confirmEmailChange",
    method: "POST",
    path: "/v1/account/email/confirm",
    tag: "account",
    summary: "Confirm a new email address with the link that was sent to it",
    description: "Needs only the link. A session of another account receives 404.",
    who: "anyone",
    may: PERMISSION_TEXTS.link,
    body: z.object({ token }),
    response: z.object({ email: z.string() }).meta({ id: "ConfirmedEmail" }),
    problems: [...LINK_PROBLEMS, "email_taken", "cross_site", "session_required"],
    handle: async ({ c, services, body }) => {
      const actor = (await readSession(c))?.actor ?? null;
      const { email } = await services.account.confirmEmailChange({ actor, token: body.token });
      return { email };
    },
  }),
];
