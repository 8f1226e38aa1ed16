/** The shape of a language's words: the same keys as T, each a string. Makes a missing or surplus key a type error. */
export type Words<T> = { readonly [K in keyof T]: T[K] extends string ? string : Words<T[K]> };
