import type { ReactNode } from "react";
import { cx } from "./cx";

export interface ContainerProps {
  readonly children: ReactNode;
  /** page: 1,280 px, for lists; form: 640 px, for forms and reading; narrow: 384 px, for one question. */
  readonly width?: "page" | "form" | "narrow";
  readonly as?: "div" | "main" | "section";
  readonly id?: string;
  readonly className?: string;
}

const widthClasses = { page: "max-w-content", form: "max-w-form", narrow: "max-w-sm" } as const;

/** Sets the page's margins and maximum width: `<Container as="main" id="main">…</Container>`. */
export function Container({ children, width = "page", as: Tag = "div", id, className }: ContainerProps) {
  return (
    <Tag
      id={id}
      tabIndex={Tag === "main" ? -1 : undefined}
      className={cx(
        "mx-auto w-full px-4 sm:px-6 lg:px-8",
        widthClasses[width],
        Tag === "main" && "pt-6 pb-16 sm:pt-8",
        className,
      )}
    >
      {children}
    </Tag>
  );
}
