import { Form } from "@remix-run/react";
import type { ReactNode } from "react";
import { Anchor } from "~/components/anchor";
import { Button } from "~/components/button";
import { TextField } from "~/components/fields/text-field";
import { Notice } from "~/components/status/notice";
import { UserStatusBadge } from "~/components/status/user-status";
import type { UserStatus } from "~/domain/shared/model";
import { useTranslation } from "~/i18n/translation";

export interface Person {
  readonly id: string;
  readonly name: string;
  readonly detail: string;
  readonly status: UserStatus;
}

interface MemberActionProps {
  readonly action: "add" | "remove";
  readonly person: Person;
}

function MemberAction({ action, person }: MemberActionProps) {
  const { t } = useTranslation();
  const namedKey = action === "add" ? "users:group.addNamed" : "users:group.removeNamed";
  return (
    <Form method="post" className="shrink-0" preventScrollReset>
      <input type="hidden" name="userId" value={person.id} />
      <Button
        type="submit"
        name="act"
        value={action}
        variant={action === "add" ? "secondary" : "quiet"}
        aria-label={t(namedKey, { name: person.name })}
      >
        {t(`users:group.${action}`)}
      </Button>
    </Form>
  );
}

function PersonRow({ person, children }: { readonly person: Person; readonly children: ReactNode }) {
  return (
    <li className="flex min-h-14 items-center justify-between gap-4 border-b border-line py-2">
      <span className="min-w-0">
        <Anchor
          href={`/user-list/${person.id}`}
          className="font-semibold text-ink underline-offset-4 hover:underline"
        >
          {person.name}
        </Anchor>
        <span className="block text-xs text-muted [overflow-wrap:anywhere]">{person.detail}</span>
        <UserStatusBadge status={person.status} />
      </span>
      {children}
    </li>
  );
}

/** List of the group's members. */
export function MemberList({
  members,
  fixed,
}: {
  readonly members: readonly Person[];
  readonly fixed: boolean;
}) {
  const { t } = useTranslation();
  if (members.length === 0) return <p className="text-sm text-muted">{t("users:group.noMembers")}</p>;
  return (
    <ul>
      {members.map((person) => (
        <PersonRow key={person.id} person={person}>
          {!fixed && <MemberAction action="remove" person={person} />}
        </PersonRow>
      ))}
    </ul>
  );
}

export interface FindMembersProps {
  readonly q: string;
  readonly searchResult: {
    readonly users: readonly (Person & { readonly isMember: boolean })[];
    readonly more: boolean;
  } | null;
}

/** Searches people by a GET form, and adds each with a form of one button. */
export function FindMembers({ q, searchResult }: FindMembersProps) {
  const { t } = useTranslation();
  return (
    <div className="grid gap-3">
      <Form method="get" role="search" className="flex items-end gap-2" preventScrollReset key={q}>
        <TextField
          type="search"
          name="find"
          label={t("users:group.find")}
          hint={t("users:group.findHint")}
          defaultValue={q}
          className="flex-1"
        />
        <Button type="submit" icon="search">
          {t("users:group.findSubmit")}
        </Button>
      </Form>
      {searchResult && searchResult.users.length === 0 && (
        <Notice live>{t("users:group.noUserFound", { q })}</Notice>
      )}
      {searchResult && searchResult.users.length > 0 && (
        <ul aria-label={t("users:group.found")} className="rounded-lg bg-surface px-4">
          {searchResult.users.map((person) => (
            <PersonRow key={person.id} person={person}>
              {person.isMember ? (
                <span className="shrink-0 text-sm text-muted">{t("users:group.already")}</span>
              ) : (
                <MemberAction action="add" person={person} />
              )}
            </PersonRow>
          ))}
        </ul>
      )}
      {searchResult?.more && <p className="text-sm text-muted">{t("users:group.foundMore")}</p>}
    </div>
  );
}
