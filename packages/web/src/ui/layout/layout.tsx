import type { ComponentProps, ElementType, ReactNode } from 'react'

/** The distances there are: those of base.css, so that no page has its own. `hair` is for lines of one thing. */
export type Space = 'hair' | 1 | 2 | 3 | 4 | 5 | 6

interface Options {
  readonly gap?: Space
  /** The distance between lines, where it differs from the one within a line. */
  readonly rowGap?: Space | 0
  /** A line around it, and the ground of cards. */
  readonly box?: boolean
  readonly pad?: 2 | 3 | 4
  /** In a row it takes what room is left. */
  readonly grow?: boolean
}

interface StackOptions extends Options {
  /** How wide the things are: as the stack, unless they stand at its start or in its middle. */
  readonly align?: 'start' | 'center'
  /** Without anything in it, it has no distance to what stands beside it. */
  readonly collapse?: boolean
}

interface RowOptions extends Options {
  readonly align?: 'start' | 'end' | 'baseline' | 'stretch'
  readonly justify?: 'between' | 'center' | 'end'
  readonly wrap?: boolean
  readonly inline?: boolean
  /** On a phone its buttons are as high as a finger; `wide`: and share the width. */
  readonly touch?: boolean | 'wide'
}

interface ColumnsOptions extends Options {
  readonly align?: 'start' | 'center' | 'end' | 'baseline'
}

interface GridOptions extends ColumnsOptions {
  /** How narrow a column may get, in rem; one of covers gets narrower on a phone. */
  readonly min?: 7 | 9 | 11 | 13 | 15 | 17 | 18 | 20 | 22 | 24 | 'cover'
  /** A few things stretch over the whole width, instead of leaving room for others. */
  readonly stretch?: boolean
}

interface TextOptions {
  /** It matters less than what stands beside it. */
  readonly quiet?: boolean
  /** In pixels, as most people have it; usual text has 15. */
  readonly size?: 12 | 13 | 14
  /** What is longer is cut off. */
  readonly lines?: 1 | 2 | 3 | 4 | 6 | undefined
}

type PropsOf<Own, Tag extends ElementType> = Own & { readonly as?: Tag } & Omit<ComponentProps<Tag>, keyof Own | 'as'>

type Primitive<Own, Usual extends ElementType = 'div'> = <Tag extends ElementType = Usual>(
  props: PropsOf<Own, Tag>,
) => ReactNode

interface Given {
  readonly as?: ElementType
  readonly className?: string | undefined
  readonly [name: string]: unknown
}

type Option = keyof StackOptions | keyof RowOptions | keyof GridOptions | keyof TextOptions

const options: Readonly<Record<Option, true>> = {
  gap: true,
  rowGap: true,
  box: true,
  pad: true,
  grow: true,
  align: true,
  collapse: true,
  justify: true,
  wrap: true,
  inline: true,
  touch: true,
  min: true,
  stretch: true,
  quiet: true,
  size: true,
  lines: true,
}

/** The options become classes of `layout.css`, `gap-3` or `wrap`; what else is given is the element's. */
const primitive = (kind: string, usual: ElementType = 'div') =>
  function Primitive({ as: Tag = usual, className, ...given }: Given): ReactNode {
    const names = [kind]
    const rest: Record<string, unknown> = {}
    for (const [name, value] of Object.entries(given)) {
      if (!Object.hasOwn(options, name)) rest[name] = value
      else if (value === true) names.push(name)
      else if (typeof value === 'string' || typeof value === 'number') names.push(`${name}-${value}`)
    }
    if (className !== undefined) names.push(className)
    return <Tag {...rest} className={names.join(' ')} />
  }

/** Things below each other. */
export const Stack: Primitive<StackOptions> = primitive('stack')

/** Things beside each other, each as wide as it is. */
export const Row: Primitive<RowOptions> = primitive('row')

/** Things beside each other in columns: what is small, and the words of it, unless a class says other columns. */
export const Columns: Primitive<ColumnsOptions> = primitive('columns')

/** It has as many columns as there is room for, all equally wide. */
export const Grid: Primitive<GridOptions> = primitive('grid')

/** One thing in the middle: the picture of a button. */
export const Center: Primitive<Options> = primitive('center')

/** A line of things that is pushed sideways where they do not fit; a class says how wide they are. */
export const Shelf: Primitive<Options> = primitive('shelf')

/** A line or a paragraph, without the distances that browsers give it. */
export const Text: Primitive<TextOptions, 'p'> = primitive('text', 'p')
