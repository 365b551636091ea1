import { addressOf, exportAnnotations } from '@carrel/api'
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { basePath } from '../../../../api/base.ts'
import { type BookMap, progressAt } from '../../../../reader/ebook/book-map.ts'
import { Icon } from '../../../../ui/icon.tsx'
import { Center, Row, Stack, Text } from '../../../../ui/layout/layout.tsx'
import { percentText } from '../percent.ts'
import type { Goal } from '../use-ebook-reading.ts'
import { type Bookmark, type Highlight, type Marks, shownColour } from './use-marks.ts'
import drawerStyles from '../bars/book-drawer.module.css'
import styles from './marks.module.css'

interface MarksListProps {
  readonly map: BookMap
  readonly marks: Marks
  readonly onGo: (goal: Goal) => void
}

type Entry =
  | { readonly kind: 'highlight'; readonly far: number; readonly it: Highlight }
  | { readonly kind: 'bookmark'; readonly far: number; readonly it: Bookmark }

const exported = (format: 'md' | 'json'): string => basePath + addressOf(exportAnnotations, { query: { format } })

/** Bookmarks and what is marked, in the order of the book. */
export const MarksList = ({ map, marks, onGo }: MarksListProps): ReactNode => {
  const { t } = useTranslation('ebook')
  const far = ({ location }: Highlight | Bookmark): number =>
    progressAt(map, location.index, location.fraction).totalProgression
  const entries: Entry[] = [
    ...marks.bookmarks.map((it) => ({ kind: 'bookmark' as const, far: far(it), it })),
    ...marks.highlights.map((it) => ({ kind: 'highlight' as const, far: far(it), it })),
  ].toSorted((one, other) => one.far - other.far)
  return (
    <Stack gap={4}>
      {entries.length === 0 ? <p>{t('marks.none')}</p> : null}
      <Stack as="ol" className={drawerStyles.list}>
        {entries.map((entry) => (
          <Row as="li" key={entry.it.id}>
            <Row
              as="button"
              gap={4}
              justify="between"
              type="button"
              className={drawerStyles.entry}
              onClick={() => onGo(entry.it.location)}
            >
              <span className={drawerStyles.text} dir="auto">
                <MarkText {...entry} />
              </span>
              <Text as="span" quiet size={13} className={drawerStyles.percent}>
                {t('percent', { percent: percentText(entry.far) })}
              </Text>
            </Row>
            <Center
              as="button"
              type="button"
              className={styles.remove}
              aria-label={t('marks.remove')}
              title={t('marks.remove')}
              onClick={() => void (entry.kind === 'bookmark' ? marks.takeOut(entry.it) : marks.unmark(entry.it))}
            >
              <Icon name="trash" size="small" />
            </Center>
          </Row>
        ))}
      </Stack>
      <Row gap={2} align="stretch" justify="end" wrap>
        <Button component="a" variant="default" size="sm" href={exported('md')} download="annotations.md">
          {t('marks.asText')}
        </Button>
        <Button component="a" variant="default" size="sm" href={exported('json')} download="annotations.json">
          {t('marks.asJson')}
        </Button>
      </Row>
    </Stack>
  )
}

const MarkText = ({ kind, it }: Entry): ReactNode => {
  const { t } = useTranslation('ebook')
  if (kind === 'bookmark') {
    const { title, text } = it.locator as { readonly title?: string; readonly text?: { readonly highlight?: string } }
    return (
      <>
        <Row as="span" gap={2} className={styles.kind}>
          <Icon name="bookmark" size="small" /> {title ?? t('marks.bookmark')}
        </Row>
        {text?.highlight === undefined ? null : (
          <Text as="span" lines={3}>
            {text.highlight}
          </Text>
        )}
      </>
    )
  }
  return (
    <>
      <Text
        as="span"
        lines={3}
        style={{ borderInlineStart: `4px solid ${shownColour(it.colour)}`, paddingInlineStart: 8 }}
      >
        {it.quote}
      </Text>
      {it.note === '' ? null : <span className={drawerStyles.where}>{it.note}</span>}
    </>
  )
}
