import { type BookDetail, readChapters } from '@carrel/api'
import { type ReactNode, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useLater } from '../../../api/queries.ts'
import { useProblemText } from '../../../text/problem-text.ts'
import { Row, Stack, Text } from '../../../ui/layout/layout.tsx'
import { Segments } from '../sheet/fields.tsx'
import { Sheet } from '../sheet/sheet.tsx'
import { FindPart } from './find-part.tsx'
import type { Find } from './use-document.tsx'
import styles from './document-drawer.module.css'

export type DrawerTab = 'contents' | 'search'

interface DocumentDrawerProps {
  readonly book: BookDetail
  readonly page: number
  readonly tab: DrawerTab
  readonly find: Find
  readonly onTab: (tab: DrawerTab) => void
  readonly onGo: (page: number) => void
  readonly onClose: () => void
}

/** The contents of a document and what is found in it, beside its pages: it stays open while one goes through them. */
export const DocumentDrawer = ({ tab, onTab, onClose, ...rest }: DocumentDrawerProps): ReactNode => {
  const { t } = useTranslation('reader')
  return (
    <Sheet title={t(tab === 'contents' ? 'contents' : 'find.title')} side="start" onClose={onClose}>
      <Stack gap={3}>
        <Segments
          label={t('contents')}
          value={tab}
          onChoose={onTab}
          choices={[
            { value: 'contents', label: t('contents') },
            { value: 'search', label: t('find.short') },
          ]}
        />
        {tab === 'contents' ? <Contents {...rest} /> : <FindPart {...rest} />}
      </Stack>
    </Sheet>
  )
}

type PartProps = Pick<DocumentDrawerProps, 'book' | 'page' | 'onGo'>

const Contents = ({ book, page, onGo }: PartProps): ReactNode => {
  const { t } = useTranslation('reader')
  const textOf = useProblemText()
  const { data, error } = useLater(readChapters, { params: { id: book.id } })
  const list = useRef<HTMLOListElement>(null)
  const chapters = data?.chapters ?? []
  const here = chapters.findLastIndex((chapter) => (chapter.page ?? 1) <= page)
  useEffect(() => {
    list.current?.children[here]?.scrollIntoView({ block: 'nearest' })
  }, [here])
  if (error) return <Text quiet>{textOf(error)}</Text>
  if (data && chapters.length === 0) return <Text quiet>{t('noContents')}</Text>
  return (
    <Stack as="ol" ref={list} className={styles.list} aria-busy={data === undefined}>
      {chapters.map((chapter, index) => (
        <li key={index}>
          <Row
            as="button"
            gap={3}
            justify="between"
            align="baseline"
            type="button"
            className={styles.entry}
            data-depth={chapter.depth}
            aria-current={index === here ? 'location' : undefined}
            onClick={() => onGo(chapter.page ?? 1)}
          >
            <span className={styles.text} dir="auto">
              {chapter.title}
            </span>
            <span className={styles.page}>{chapter.page}</span>
          </Row>
        </li>
      ))}
    </Stack>
  )
}
