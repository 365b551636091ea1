/** The parts of the engine that we use, as its source has them. */
declare module 'foliate-js/paginator.js' {
  export interface PaginatorSection {
    load(): Promise<string>
    unload(): void
    readonly linear?: 'no'
  }

  type Anchor = number | Range | Element

  export interface Relocation {
    /** `page`, `snap`, `scroll` or null when the reader has moved on; `navigation` and `anchor` when a place was asked for. */
    readonly reason: 'page' | 'snap' | 'scroll' | 'selection' | 'navigation' | 'anchor' | null
    readonly range: Range
    readonly index: number
    readonly fraction?: number
    /** It is the size of a page, as a part of the chapter. */
    readonly size?: number
  }

  export class Paginator extends HTMLElement {
    open(book: { readonly dir: 'ltr' | 'rtl'; readonly sections: readonly PaginatorSection[] }): void
    goTo(target: { index: number; anchor?: Anchor | ((doc: Document) => Anchor | null) }): Promise<void>
    next(): Promise<void>
    prev(): Promise<void>
    setStyles(styles: readonly [before: string, after: string]): void
    getContents(): { readonly index: number; readonly doc: Document; readonly overlayer?: unknown }[]
    readonly columnCount?: number
    focusView(): void
    destroy(): void
    readonly scrolled: boolean
    readonly page: number
    readonly pages: number
    readonly size: number
    readonly viewSize: number
    readonly start: number
    readonly end: number
    readonly atEnd: boolean
    readonly atStart: boolean
  }
}

declare module 'foliate-js/epubcfi.js' {
  type Parts = readonly unknown[]
  export const parse: (cfi: string) => Parts
  export const fromRange: (range: Range) => string
  export const toRange: (doc: Document, parts: Parts) => Range
}

declare module 'foliate-js/overlayer.js' {
  type Draw = (rects: readonly DOMRect[], options: object) => SVGElement
  export class Overlayer {
    constructor(doc: Document)
    static highlight: Draw
    static outline: Draw
    readonly element: SVGElement
    add(key: string, range: Range, draw: Draw, options?: object): void
    remove(key: string): void
    redraw(): void
    hitTest(point: { readonly x: number; readonly y: number }): readonly [key: string, range: Range] | readonly []
  }
}
