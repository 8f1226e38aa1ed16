import { Form, useNavigation, useSubmit } from "@remix-run/react";
import { type ReactNode, useState } from "react";
import { Anchor } from "~/components/anchor";
import { Button } from "~/components/button";
import { SearchField } from "~/components/fields/search-field";
import type { FindMatches } from "~/components/fields/use-matches";
import { Notice } from "~/components/status/notice";
import { UserStatusBadge } from "~/components/status/user-status";
import { SEARCH_MAX } from "~/domain/shared/limits";
import type { UserStatus } from "~/domain/shared/model";
import { useTranslation } from "~/i18n/translation";

export interface Person {
  readonly id: string;
  readonly name: string;
  /** Company and email address. */
  readonly detail: string;
  readonly status: UserStatus;
}

interface MemberActionProps {
  readonly action: "add" | "remove";
  readonly person: Person;
}

/** A form with one button. The style sheet shows the button that removes a member only while the row has the pointer or the focus (`data-reveal`). */
function MemberAction({ action, person }: MemberActionProps) {
  const { t } = useTranslation();
  const namedKey = action === "add" ? "users:group.addNamed" : "users:group.removeNamed";
  return (
    <Form
      method="post"
      data-reveal={action === "remove" ? "" : undefined}
      className="shrink-0"
      preventScrollReset
    >
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
    <li data-row="" className="flex min-h-14 items-center justify-between gap-4 border-b border-line py-2">
      <span className="min-w-0">
        <Anchor href={`/user-list/${person.id}`} className="font-semibold text-ink hover:underline">
          {person.name}
        </Anchor>
        <span className="block text-xs text-muted wrap-anywhere">{person.detail}</span>
        <UserStatusBadge status={person.status} />
      </span>
      {children}
    </li>
  );
}

/** List of the group's members. */
export function MemberList({
  members,
  isReadOnly,
}: {
  readonly members: readonly Person[];
  readonly isReadOnly: boolean;
}) {
  const { t } = useTranslation();
  if (members.length === 0) return <p className="text-sm text-muted">{t("users:group.noMembers")}</p>;
  return (
    <ul>
      {members.map((person) => (
        <PersonRow key={person.id} person={person}>
          {!isReadOnly && <MemberAction action="remove" person={person} />}
        </PersonRow>
      ))}
    </ul>
  );
}

type Candidate = Person & { readonly isMember: boolean };

/** People who match a search. */
export interface FoundPeople {
  readonly users: readonly Candidate[];
  /** Whether further people match. */
  readonly hasMore: boolean;
}

export interface FindMembersProps {
  readonly groupId: string;
  readonly q: string;
  readonly searchResult: FoundPeople | null;
}

/** Searches people with a GET form, and adds each result with a form of one button. With scripts results appear while the user types. */
export function FindMembers({ groupId, q, searchResult }: FindMembersProps) {
  const { t } = useTranslation();
  const submit = useSubmit();
  const isSaving = useNavigation().formMethod === "POST";
  /** People who were added after the search results were loaded. */
  const [addedIds, setAddedIds] = useState<readonly string[]>([]);
  const findCandidates: FindMatches<Candidate> = async (text, signal) => {
    const query = new URLSearchParams({ find: text });
    // A redirect to the login page does not count as a response.
    const response = await fetch(`/groups/${groupId}/people?${query}`, { signal, redirect: "error" });
    if (!response.ok) throw new Error(String(response.status));
    const foundPeople = (await response.json()) as FoundPeople;
    setAddedIds([]);
    return { options: foundPeople.users, hasMore: foundPeople.hasMore };
  };
  return (
    <div className="grid gap-3">
      <Form method="get" role="search" preventScrollReset>
        <SearchField
          key={q}
          name="find"
          label={t("users:group.find")}
          hint={t("users:group.findHint")}
          defaultValue={q}
          maxLength={SEARCH_MAX}
          find={findCandidates}
          emptyText={(text) => t("users:group.noUserFound", { q: text })}
          toOption={(person: Candidate) => ({
            key: person.id,
            isDisabled: isSaving || person.isMember || addedIds.includes(person.id),
            content: (
              <>
                <span className="min-w-0 flex-1 wrap-anywhere">
                  {person.name}
                  <span className="block text-xs text-muted">{person.detail}</span>
                </span>
                {person.isMember || addedIds.includes(person.id) ? (
                  <span className="shrink-0 text-xs text-muted">{t("users:group.already")}</span>
                ) : (
                  <UserStatusBadge status={person.status} />
                )}
              </>
            ),
          })}
          onPick={(person) => {
            setAddedIds([...addedIds, person.id]);
            submit({ act: "add", userId: person.id }, { method: "post", preventScrollReset: true });
            return t("users:group.adding", { name: person.name });
          }}
        >
          <Button type="submit" icon="search">
            {t("users:group.findSubmit")}
          </Button>
        </SearchField>
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
      {searchResult?.hasMore && <p className="text-sm text-muted">{t("users:group.foundMore")}</p>}
    </div>
  );
}
