import { createContext, type ElementType, Fragment, type ReactNode } from "react";

/** The component that wraps each entry. Headless UI needs it to register the entries. */
export const MenuItemContext = createContext<ElementType<{ readonly children: ReactNode }>>(Fragment);
