import type { MouseEvent, ReactNode } from 'react'
import { bookCover, seriesCover } from '../../lists/item/addresses.ts'
import { markHits } from '../../text/marked.ts'
import { CoverPair } from '../../ui/cover/cover-pair.tsx'
import { Cover } from '../../ui/cover/cover.tsx'
import { toned } from '../../ui/cover/toned.ts'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { Center, Row, Stack, Text } from '../../ui/layout/layout.tsx'
import { useHitText } from './hit-text.ts'
import { type Hit, isBegun } from './hits.ts'
import type { Line } from './lines.ts'
import styles from './line-row.module.css'

interface LineRowProps {
  readonly id: string
  readonly line: Line
  /** The words that were searched for are marked. */
  readonly words: readonly string[]
  readonly isActive: boolean
  /** Where it leads; a line that does something leads nowhere. */
  readonly href: string | undefined
  readonly onChoose: (event: MouseEvent) => void
  readonly onPoint: () => void
}

/** A line of the palette: its picture, what it is, and where it is from. */
export const LineRow = ({ id, line, isActive, href, onChoose, onPoint, words }: LineRowProps): ReactNode => (
  // The field keeps the focus: lines are reached with the arrows.
  // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
  <Row
    as={href === undefined ? 'div' : 'a'}
    gap={3}
    id={id}
    role="option"
    aria-selected={isActive}
    tabIndex={-1}
    className={styles.line}
    onPointerDown={(event: MouseEvent) => event.preventDefault()}
    onPointerMove={onPoint}
    onClick={onChoose}
    {...(href !== undefined && { href })}
  >
    {line.hit ? <HitLine hit={line.hit} words={words} /> : <CommandLine {...line.command} words={words} />}
    {isActive ? (
      <kbd className={styles.key} aria-hidden="true">
        Enter
      </kbd>
    ) : null}
  </Row>
)

const HitLine = ({ hit, words }: { readonly hit: Hit; readonly words: readonly string[] }): ReactNode => {
  const { number, title, below } = useHitText()(hit)
  return (
    <>
      <Picture {...hit} />
      <Stack as="span" grow>
        <Row as="span" gap={2} className={styles.name}>
          {number === null ? null : <span className={styles.number}>{number}</span>}{' '}
          <Text as="span" lines={1} dir="auto">
            <Marked text={title} words={words} />
          </Text>
        </Row>{' '}
        <Text as="span" lines={1} quiet size={13} dir="auto">
          <Marked text={below.filter((part) => part !== '').join(' · ')} words={words} />
        </Text>
        {isBegun(hit) && hit.readProgress?.progressPercentage != null ? (
          <progress
            className={`${styles.bar} ${toned(hit.tone).className ?? ''}`}
            style={toned(hit.tone).style}
            value={hit.readProgress.progressPercentage}
            aria-hidden="true"
          />
        ) : null}
      </Stack>{' '}
      {hit.libraryName === undefined ? null : (
        <Text as="span" quiet size={12} className={styles.aside}>
          {hit.libraryName}
        </Text>
      )}
    </>
  )
}

interface CommandLineProps {
  readonly icon: IconName
  readonly name: string
  readonly where: string
  readonly shortcut?: string | undefined
  readonly words: readonly string[]
}

const CommandLine = ({ icon, name, where, shortcut, words }: CommandLineProps): ReactNode => (
  <>
    <Center as="span" className={styles.icon}>
      <Icon name={icon} size="small" />
    </Center>
    <Stack as="span" grow>
      <Text as="span" lines={1} className={styles.name}>
        <Marked text={name} words={words} />
      </Text>{' '}
      {where === '' ? null : (
        <Text as="span" lines={1} quiet size={13}>
          {where}
        </Text>
      )}
    </Stack>
    {shortcut === undefined ? null : (
      <Row as="span" gap={1} aria-hidden="true">
        {shortcut.split(' ').map((key) => (
          <kbd key={key} className={styles.key}>
            {key}
          </kbd>
        ))}
      </Row>
    )}
  </>
)

const Marked = ({ text, words }: { readonly text: string; readonly words: readonly string[] }): ReactNode =>
  markHits(text, words).map(({ text: part, isHit }, index) =>
    // The parts of a text have no other name than their place in it.
    // oxlint-disable-next-line react/no-array-index-key
    isHit ? <mark key={index}>{part}</mark> : part,
  )

const icons: Readonly<Record<Hit['kind'], IconName>> = {
  series: 'series',
  book: 'book',
  person: 'person',
  collection: 'collection',
  readlist: 'list',
}

/** The width is that of the picture in the list. */
const pictureWidth = 32

const Picture = ({ kind, id, coverVersion, placeholder, covers = [] }: Hit): ReactNode => {
  const shared = { alt: '', icon: icons[kind], isFirst: true } as const
  if (coverVersion !== undefined) {
    const src = (kind === 'series' ? seriesCover : bookCover)({ id, coverVersion }, pictureWidth)
    return (
      <span className={styles.picture}>
        <Cover key={src} src={src} thumbhash={placeholder} {...shared} />
      </span>
    )
  }
  if (covers.length === 0) {
    return (
      <Center as="span" className={styles.icon}>
        <Icon name={icons[kind]} size="small" />
      </Center>
    )
  }
  const ofCover = ({ seriesId, ...cover }: (typeof covers)[number]) => ({
    src: seriesCover({ id: seriesId, coverVersion: cover.coverVersion }, pictureWidth),
    thumbhash: cover.placeholder,
  })
  return <CoverPair covers={covers.map(ofCover)} icon={icons[kind]} />
}
