import { Form } from "@remix-run/react";
import type { ReactNode } from "react";
import { Anchor } from "~/components/anchor";
import { Button } from "~/components/button";
import { Notice } from "~/components/notice";
import { TextField } from "~/components/text-field";
import { UserStatusBadge } from "~/components/user-status";
import type { UserStatus } from "~/domain/shared/model";
import { useTranslation } from "~/i18n/translation";

export interface Person {
  readonly id: string;
  readonly name: string;
  readonly detail: string;
  readonly status: UserStatus;
}

interface ActProps {
  readonly act: "add" | "remove";
  readonly person: Person;
}

function Act({ act, person }: ActProps) {
  const { t } = useTranslation();
  const named = act === "add" ? "users:group.addNamed" : "users:group.removeNamed";
  return (
    <Form method="post" className="shrink-0" preventScrollReset>
      <input type="hidden" name="userId" value={person.id} />
      <Button
        type="submit"
        name="act"
        value={act}
        variant={act === "add" ? "secondary" : "quiet"}
        aria-label={t(named, { name: person.name })}
      >
        {t(`users:group.${act}`)}
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

/** Who is in the group. */
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
          {!fixed && <Act act="remove" person={person} />}
        </PersonRow>
      ))}
    </ul>
  );
}

export interface FindMembersProps {
  readonly q: string;
  readonly found: {
    readonly users: readonly (Person & { readonly isMember: boolean })[];
    readonly more: boolean;
  } | null;
}

/** Finds people and adds them: a search by GET, and a form of one button each. */
export function FindMembers({ q, found }: FindMembersProps) {
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
      {found && found.users.length === 0 && <Notice live>{t("users:group.foundNobody", { q })}</Notice>}
      {found && found.users.length > 0 && (
        <ul aria-label={t("users:group.found")} className="rounded-lg bg-surface px-4">
          {found.users.map((person) => (
            <PersonRow key={person.id} person={person}>
              {person.isMember ? (
                <span className="shrink-0 text-sm text-muted">{t("users:group.already")}</span>
              ) : (
                <Act act="add" person={person} />
              )}
            </PersonRow>
          ))}
        </ul>
      )}
      {found?.more && <p className="text-sm text-muted">{t("users:group.foundMore")}</p>}
    </div>
  );
}
