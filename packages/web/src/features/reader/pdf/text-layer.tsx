import { readPageText } from '@carrel/api'
import { type CSSProperties, memo, type ReactNode, type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { useLater } from '../../../api/queries.ts'
import { findOnPage, type PartOfWord, type WordOnPage, wordsOnPage } from '../../../reader/pdf/words-on-page.ts'
import type { PageSize } from '../../../reader/spreads.ts'
import { selectWithMouse } from './select-with-mouse.ts'
import styles from './text-layer.module.css'

interface TextLayerProps {
  readonly bookId: string
  readonly page: number
  readonly size: PageSize | undefined
  /** What is looked for in the book: it is marked on the page. */
  readonly query: string
  /** Which of the places on this page one has gone to. */
  readonly current: number | undefined
  /** It brings what is there into view. */
  readonly onReveal: (box: DOMRect) => void
}

/** Nobody selects on a page that they only turn over. */
const restMs = 200

/** The text of a page over its picture: to select, to copy, and to be found in. */
export const TextLayer = memo((props: TextLayerProps): ReactNode => {
  const { bookId, page, size, query, current, onReveal } = props
  const isRead = useRest()
  const { data } = useLater(readPageText, { params: { id: bookId, number: page } }, { enabled: isRead || query !== '' })
  const words = useMemo(() => wordsOnPage(data?.words ?? []), [data])
  const marks = useMemo(() => markedParts(findOnPage(words, query)), [words, query])
  const styleOf = useMemo(() => placing(size), [size])
  const layer = useRef<HTMLDivElement>(null)
  useEffect(() => (layer.current ? selectWithMouse(layer.current) : undefined), [])
  useReveal(layer, current === undefined ? undefined : `${current} ${words.length} ${query}`, onReveal)
  return (
    <div ref={layer} className={styles.layer} data-text-of={page}>
      {words.map((word, index) => (
        <Word key={index} word={word} style={styleOf(word)} marks={marks.get(index)} current={current} />
      ))}
    </div>
  )
})

const useRest = (): boolean => {
  const [isRead, setRead] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setRead(true), restMs)
    return () => clearTimeout(timer)
  }, [])
  return isRead
}

interface Mark extends PartOfWord {
  /** Which of the places of the page it belongs to. */
  readonly place: number
}

const markedParts = (matches: readonly (readonly PartOfWord[])[]): ReadonlyMap<number, readonly Mark[]> =>
  Map.groupBy(
    matches.flatMap((parts, place) => parts.map((part) => ({ ...part, place }))),
    ({ word }) => word,
  )

interface WordProps {
  readonly word: WordOnPage
  readonly style: CSSProperties
  readonly marks: readonly Mark[] | undefined
  readonly current: number | undefined
}

const Word = ({ word: { text, space, isRightToLeft }, style, marks, current }: WordProps): ReactNode => (
  <>
    <span className={styles.word} data-word dir={isRightToLeft ? 'rtl' : 'ltr'} style={style}>
      {marks === undefined ? text : <Marked text={text} marks={marks} current={current} />}
      {space === ' ' ? ' ' : ''}
    </span>
    {space.includes('\n') ? <br /> : null}
  </>
)

interface MarkedProps extends Pick<WordProps, 'current'> {
  readonly text: string
  readonly marks: readonly Mark[]
}

const Marked = ({ text, marks, current }: MarkedProps): ReactNode => (
  <>
    {marks.map(({ from, to, place }, index) => (
      <span key={from}>
        {text.slice(marks[index - 1]?.to ?? 0, from)}
        <mark data-is-current={place === current}>{text.slice(from, to)}</mark>
      </span>
    ))}
    {text.slice(marks.at(-1)?.to)}
  </>
)

const measuredAt = 100
let measuring: CanvasRenderingContext2D | null | undefined

/** How wide the browser writes a text, in parts of the height of its letters. */
const writtenWidth = (text: string): number => {
  measuring ??= document.createElement('canvas').getContext('2d')
  if (!measuring) return 0
  measuring.font = `${measuredAt}px Arial, Helvetica, sans-serif`
  return measuring.measureText(text).width / measuredAt
}

/** Letters of our own are made as wide as those on the picture; the shape of the page says how they compare. */
const placing = (size: PageSize | undefined) => {
  const shape = size?.width == null || size.height == null ? Math.SQRT1_2 : size.width / size.height
  return ({ text, space, isRightToLeft, left, top, width, height, reach }: WordOnPage): CSSProperties => {
    const isUpright = text.length > 1 && height > width * shape * 1.5
    const at = {
      top: `${top * 100}%`,
      ...(isRightToLeft ? { right: `${(1 - left - width) * 100}%` } : { left: `${left * 100}%` }),
    }
    const written = writtenWidth(space === ' ' ? `${text} ` : text)
    // It is written downwards: its height is what others have as width.
    if (isUpright) {
      const scale = written > 0 ? height / (written * width * shape) : 1
      return {
        ...at,
        fontSize: `${width * 100}cqw`,
        writingMode: 'vertical-rl',
        transform: `scaleY(${scale.toFixed(4)})`,
      }
    }
    const scale = written > 0 ? (reach * shape) / (written * height) : 1
    return { ...at, fontSize: `${height * 100}cqh`, transform: `scaleX(${scale.toFixed(4)})` }
  }
}

/** The place one has gone to comes into view, once its page has its words. */
const useReveal = (
  layer: RefObject<HTMLDivElement | null>,
  place: string | undefined,
  onReveal: (box: DOMRect) => void,
): void => {
  const reveal = useRef(onReveal)
  useEffect(() => {
    reveal.current = onReveal
  })
  useEffect(() => {
    const mark = place === undefined ? null : layer.current?.querySelector('[data-is-current=true]')
    if (mark) reveal.current(mark.getBoundingClientRect())
  }, [layer, place])
}
