import type { ReactNode } from "react";
import type { EventTemplateName } from "~/domain/events/templates/template-names";

const floor = <path d="M0 44h96v20H0z" className="fill-accent/10" />;
const floorWithEdge = (
  <>
    {floor}
    <path d="M0 44h96" className="stroke-edge" />
  </>
);

const DRAWINGS: Readonly<Record<EventTemplateName | "empty", ReactNode>> = {
  empty: (
    <>
      {floorWithEdge}
      <path d="M48 20v16m-8-8h16" className="stroke-muted" strokeLinecap="round" />
      <rect
        x="30"
        y="11"
        width="36"
        height="34"
        rx="3"
        className="fill-none stroke-edge"
        strokeDasharray="3 3"
      />
    </>
  ),
  exhibition: (
    <>
      {floorWithEdge}
      <path d="M12 14h18v20H12zM39 12h18v24H39zM66 14h18v20H66z" className="fill-paper stroke-ink/70" />
      <path d="M15 17h12v14H15z" className="fill-accent/70" />
      <path d="M42 15h12v18H42z" className="fill-danger/60" />
      <path d="M69 17h12v14H69z" className="fill-status-published/60" />
      <path d="M34 53h28v3H34zM37 56v4m22-4v4" className="fill-ink/60 stroke-ink/60" />
    </>
  ),
  showroom: (
    <>
      {floorWithEdge}
      <path d="M18 48h26v9H18zM54 48h26v9H54z" className="fill-paper stroke-edge" />
      <path d="M31 22 44 29v14l-13 6-13-6V29z" className="fill-accent/25 stroke-accent" />
      <path d="m18 29 13 6 13-6M31 35v14" className="fill-none stroke-accent" />
      <circle cx="67" cy="36" r="12" className="fill-status-published/25 stroke-status-published" />
      <ellipse cx="67" cy="36" rx="12" ry="4.5" className="fill-none stroke-status-published" />
      <path d="M24 10h48" className="stroke-accent/40" strokeWidth="3" strokeLinecap="round" />
    </>
  ),
  museum: (
    <>
      {floor}
      <path d="M18 24 48 9l30 15z" className="fill-accent/25 stroke-accent" strokeLinejoin="round" />
      <path d="M20 24h56v5H20z" className="fill-paper stroke-edge" />
      <path
        d="M25 29h7v19h-7zM37 29h7v19h-7zM52 29h7v19h-7zM64 29h7v19h-7z"
        className="fill-paper stroke-edge"
      />
      <path d="M18 48h60v4H18zM14 52h68v5H14z" className="fill-paper stroke-edge" />
    </>
  ),
  shop: (
    <>
      {floorWithEdge}
      <path d="M22 26h52v31H22z" className="fill-paper stroke-edge" />
      <path d="M18 13h60l4 13H14z" className="fill-danger/20 stroke-danger/70" strokeLinejoin="round" />
      <path d="M33 13 29 26m19-13v13m15-13 4 13" className="stroke-danger/70" />
      <path d="M29 34h16v14H29z" className="fill-accent/20 stroke-accent" />
      <path d="M53 34h14v23H53z" className="fill-accent/10 stroke-edge" />
      <circle cx="63.5" cy="46" r="1.2" className="fill-edge" />
    </>
  ),
};

/** Drawing of an event template, for the form of a new event. */
export function TemplateDrawing({ name }: { readonly name: EventTemplateName | "empty" }) {
  return (
    <svg
      aria-hidden="true"
      focusable="false"
      viewBox="0 0 96 64"
      strokeWidth="1.5"
      className="w-18 shrink-0 rounded bg-surface"
    >
      {DRAWINGS[name]}
    </svg>
  );
}
