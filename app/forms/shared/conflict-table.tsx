import { type ReactNode, useEffect, useRef } from "react";
import { LinkButton } from "~/components/button";
import { Notice } from "~/components/status/notice";

export interface ConflictTableProps {
  readonly title: string;
  readonly text: string;
  /** Column headings: the field, the saved value, the value in this form. */
  readonly heads: readonly [field: string, saved: string, yours: string];
  readonly rows: readonly {
    readonly field: string;
    readonly label: string;
    readonly saved: ReactNode;
    readonly yours: ReactNode;
  }[];
  /** Link to the saved version, which is the page without the typed values. */
  readonly savedLink: { readonly href: string; readonly label: string; readonly onClick?: () => void };
}

/** Shows the saved version and the user's version side by side after an edit conflict. The form below can overwrite the saved version. */
export function ConflictTable({ title, text, heads, rows, savedLink }: ConflictTableProps) {
  const section = useRef<HTMLDivElement>(null);
  // The table may be far from the submit button, so it gets the focus.
  useEffect(() => section.current?.focus(), []);
  return (
    <div ref={section} tabIndex={-1} className="shows-focus grid gap-4">
      <Notice tone="warning" title={title} live>
        {text}
      </Notice>
      <table className="w-full table-fixed text-left text-sm">
        <thead className="border-b border-line text-xs text-muted">
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col" className="py-2 pr-3 font-normal text-phrase">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {rows.map(({ field, label, saved, yours }) => (
            <tr key={field} className="align-top wrap-anywhere">
              <th scope="row" className="py-2 pr-3 font-semibold text-phrase">
                {label}
              </th>
              <td className="py-2 pr-3 whitespace-pre-line">{saved}</td>
              <td className="py-2 pr-3 whitespace-pre-line">{yours}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <div>
        <LinkButton href={savedLink.href} reload onClick={savedLink.onClick}>
          {savedLink.label}
        </LinkButton>
      </div>
    </div>
  );
}
