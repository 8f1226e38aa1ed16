import { Form } from "@remix-run/react";
import { Button } from "~/components/button";
import { useFormatDate } from "~/components/date-time";
import { Icon } from "~/components/icon";
import { StateMark } from "~/components/status/state-mark";
import { textIn } from "~/domain/shared/localized";
import type { Localized } from "~/domain/shared/model";
import {
  type DeliveryOutcome,
  type MessageState,
  type MessageType,
  messageName,
} from "~/domain/webhooks/webhooks";
import { useTranslation } from "~/i18n/translation";

export interface MessageRow {
  readonly id: string;
  readonly type: MessageType;
  /** Local times in the account's time zone. */
  readonly at: string;
  readonly nextAt: string;
  readonly state: MessageState;
  readonly eventName: Localized | null;
  readonly attempts: readonly {
    readonly at: string;
    readonly outcome: DeliveryOutcome;
    /** HTTP status; null without a response. */
    readonly status: number | null;
    /** Duration of the attempt in milliseconds. */
    readonly ms: number;
    /** The beginning of the response's body. */
    readonly answer: string;
  }[];
}

const STATE_MARKS = { waiting: "waiting", delivered: "good", failed: "bad" } as const;

/** Log of a webhook's sent and pending messages with the endpoint's responses. */
export function MessageLog({
  messages,
  canSend,
}: {
  readonly messages: readonly MessageRow[];
  /** Whether the webhook is active. */
  readonly canSend: boolean;
}) {
  const { t } = useTranslation();
  if (messages.length === 0) return <p className="text-sm text-muted">{t("webhooks:logEmpty")}</p>;
  return (
    <ul className="border-t border-line">
      {messages.map((message) => (
        <Message key={message.id} message={message} canSend={canSend} />
      ))}
    </ul>
  );
}

function Message({ message, canSend }: { readonly message: MessageRow; readonly canSend: boolean }) {
  const { t, language } = useTranslation();
  const formatDate = useFormatDate();
  const { id, type, at, nextAt, state, eventName, attempts } = message;
  const typeName = t(`webhooks:type.${messageName(type)}`);
  const when = formatDate(at);
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-1 border-b border-line py-3">
      <div className="min-w-0 flex-1 basis-60">
        <p className="flex flex-wrap items-center gap-x-3 text-sm font-semibold">
          <span>{typeName}</span>
          <StateMark variant={STATE_MARKS[state]}>{t(`webhooks:state.${state}`)}</StateMark>
        </p>
        <p className="flex flex-wrap gap-x-3 text-xs text-muted wrap-anywhere">
          <span>{when}</span>
          {eventName && <span>{textIn(eventName, language)}</span>}
          {state === "waiting" && <span>{t("webhooks:next", { date: formatDate(nextAt) })}</span>}
        </p>
        {attempts.length > 0 && (
          <details className="group mt-1 text-xs">
            <summary className="inline-flex min-h-10 cursor-pointer items-center gap-1 text-muted hover:text-ink">
              {t("webhooks:attempts", { count: attempts.length })}
              <Icon name="chevron-down" size={16} className="group-open:rotate-180" />
            </summary>
            <ol className="grid gap-2 pb-1">
              {attempts.map((attempt) => (
                <li key={attempt.at}>
                  <p>
                    <span className="text-muted">{formatDate(attempt.at)}</span>{" "}
                    {t(`webhooks:outcome.${attempt.outcome}`, {
                      status: attempt.status ?? 0,
                      ms: attempt.ms,
                    })}
                  </p>
                  {attempt.answer && (
                    <pre className="mt-1 rounded bg-surface p-2 whitespace-pre-wrap wrap-anywhere">
                      {attempt.answer}
                    </pre>
                  )}
                </li>
              ))}
            </ol>
          </details>
        )}
      </div>
      {canSend && (
        <Form method="post">
          <input type="hidden" name="intent" value="resend" />
          <input type="hidden" name="message" value={id} />
          <Button
            type="submit"
            variant="quiet"
            aria-label={t("webhooks:resendThis", { what: `${typeName}, ${when}` })}
          >
            {t("webhooks:resend")}
          </Button>
        </Form>
      )}
    </li>
  );
}
