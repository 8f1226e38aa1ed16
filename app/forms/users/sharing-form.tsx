import type { SubmissionResult } from "@conform-to/react";
import { useForm } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import { Form, useSearchParams } from "@remix-run/react";
import { useEffect, useState } from "react";
import { ComboboxField } from "~/components/fields/select-field";
import { loadReplacements } from "~/components/menus/use-replacements";
import { Notice } from "~/components/status/notice";
import { useHydrated } from "~/components/use-hydrated";
import { createSharingSchema } from "~/domain/folders/sharing.schema";
import { useTranslation } from "~/i18n/translation";
import { FormButtons, FormErrors, useFieldProps } from "../shared/form-parts";
import { FormSearch } from "../shared/form-search";
import { useLeaveGuard } from "../shared/use-leave-guard";

interface ShownGroup {
  readonly id: string;
  readonly name: string;
  readonly memberCount: number;
  /** Null for a user who is not allowed to see the members' names. */
  readonly members: readonly { readonly id: string; readonly name: string; readonly email: string }[] | null;
}

export interface SharingFormProps {
  readonly groups: readonly ShownGroup[];
  /** The group with which the item is shared; null for none. */
  readonly groupId: string | null;
  /** Text of the search without scripts; empty if there was none. */
  readonly q: string;
  /** Whether no group matches the search. */
  readonly isNoneFound: boolean;
  /** Whether the user may see the members of groups, and therefore search for them. */
  readonly showsMembers: boolean;
  readonly lastResult?: SubmissionResult<string[]> | null;
  readonly cancelHref: string;
}

/** Form for choosing the group with which a folder, a space or a media item is shared. */
export function SharingForm({
  groups,
  groupId,
  q,
  isNoneFound,
  showsMembers,
  lastResult,
  cancelHref,
}: SharingFormProps) {
  const { t } = useTranslation();
  const fieldProps = useFieldProps();
  const hydrated = useHydrated();
  const { onPage, release, question } = useLeaveGuard();
  // The hint tells the user to search, which works only in the combobox that replaces the select.
  useEffect(loadReplacements, []);
  const saved = groupId ?? "";
  const emptyText = t(showsMembers ? "spaces:sharing.noneFound" : "spaces:sharing.noGroupFound");
  const [chosenId, setChosenId] = useState(saved);
  const [form, fields] = useForm({
    id: "sharing",
    lastResult,
    defaultValue: { groupId: saved },
    defaultNoValidate: false,
    onValidate: ({ formData }) => parseWithZod(formData, { schema: createSharingSchema() }),
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the choice of a rejected form is unsaved again
  useEffect(() => onPage(chosenId !== saved), [onPage, chosenId, saved, lastResult]);
  return (
    <>
      <Form
        method="post"
        id={form.id}
        onChange={(event) => setChosenId(String(new FormData(event.currentTarget).get("groupId") ?? ""))}
        onSubmit={(event) => {
          form.onSubmit(event);
          if (!event.defaultPrevented) release("page");
        }}
        className="grid gap-6"
      >
        <FormErrors form={form} labels={{ groupId: t("spaces:sharing.group") }} />
        <noscript>
          <GroupSearch q={q} emptyText={isNoneFound ? emptyText : null} />
        </noscript>
        <ComboboxField
          key={fields.groupId.key}
          {...fieldProps(fields.groupId)}
          label={t("spaces:sharing.group")}
          hint={t(showsMembers ? "spaces:sharing.findHint" : "spaces:sharing.hint")}
          emptyText={emptyText}
          options={[
            { value: "", label: t("spaces:sharing.notShared") },
            ...groups.map(({ id, name, members }) => ({
              value: id,
              label: name,
              searchTerms: members?.map((member) => `${member.name} ${member.email}`).join(" "),
            })),
          ]}
        />
        <FormButtons
          submit={t("spaces:sharing.submit")}
          cancel={t("spaces:cancel")}
          cancelHref={cancelHref}
        />
        {/* Without scripts, the members of all groups are shown, because the page cannot react to the choice. */}
        <div role="status" className="grid gap-4 empty:sr-only">
          {groups
            .filter(({ id }) => !hydrated || id === chosenId)
            .map((group) => (
              <Members key={group.id} group={group} />
            ))}
        </div>
      </Form>
      {question}
    </>
  );
}

/** Search for groups without scripts. The Enter key presses the form's first submit button, which is the search. */
function GroupSearch({ q, emptyText }: { readonly q: string; readonly emptyText: string | null }) {
  const { t } = useTranslation();
  const back = useSearchParams()[0].get("back");
  return (
    <div className="grid gap-4">
      {back !== null && <input type="hidden" name="back" value={back} />}
      <FormSearch label={t("spaces:sharing.find")} buttonLabel={t("spaces:sharing.findSubmit")} q={q} />
      {q !== "" && emptyText !== null && <Notice>{emptyText}</Notice>}
    </div>
  );
}

/** The members of a group, or only their number, and what to do if a member is missing. */
function Members({ group }: { readonly group: ShownGroup }) {
  const { t } = useTranslation();
  const { name, memberCount, members } = group;
  const unnamedCount = memberCount - (members?.length ?? 0);
  return (
    <div className="grid gap-2 text-sm">
      <p className="font-semibold">{t("spaces:sharing.members", { name, count: memberCount })}</p>
      {members !== null && (
        <ul className="grid gap-1">
          {members.map((member) => (
            <li key={member.id} className="wrap-anywhere">
              {member.name}
            </li>
          ))}
          {unnamedCount > 0 && (
            <li className="text-muted">{t("spaces:sharing.more", { count: unnamedCount })}</li>
          )}
        </ul>
      )}
      <p className="text-muted text-phrase">
        {t(members === null ? "spaces:sharing.askWho" : "spaces:sharing.askMissing")}
      </p>
    </div>
  );
}
