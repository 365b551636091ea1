import { type BookDto, type LibraryDto, listBooks } from '@carrel/api'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../api/call.ts'
import { useRead } from '../../api/queries.ts'
import { useItemName } from '../../text/book-name.tsx'
import { useProblemText } from '../../text/problem-text.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Text } from '../../ui/layout/layout.tsx'
import { ListRow, RowList } from '../../ui/row-list.tsx'
import { Notice } from '../../ui/state/state.tsx'

const pageSize = 500
/** More books than these are not looked through: the list is for a person to read. */
const pagesMax = 20

/** How many books have lost their files. */
export const useMissingCount = (libraryId: string): number => {
  const one = { libraryId, pageSize: 1 }
  const present = useRead(listBooks, { query: one })
  const all = useRead(listBooks, { query: { ...one, includeDeleted: true } })
  return Math.max(0, all.total - present.total)
}

/** A list of books has the missing ones among the others, and what has changed last comes first. */
const readMissing = async (libraryId: string, count: number, signal: AbortSignal): Promise<readonly BookDto[]> => {
  const missing: BookDto[] = []
  for (let page = 1; page <= pagesMax && missing.length < count; page += 1) {
    const query = { libraryId, includeDeleted: true, sort: 'updatedAt,desc', page, pageSize } as const
    // oxlint-disable-next-line no-await-in-loop
    const { body } = await call(listBooks, { query }, { signal })
    missing.push(...body.data.filter(({ deleted }) => deleted))
    if (page >= body.totalPages) break
  }
  return missing
}

interface MissingBooksProps {
  readonly library: LibraryDto
  readonly count: number
}

/** Whoever is to forget them sees first which they are, and where they were. */
export const MissingBooks = ({ library, count }: MissingBooksProps): ReactNode => {
  const { t } = useTranslation('scans')
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button variant="default" onClick={() => setIsOpen(true)}>
        {t('purge.show', { count })}
      </Button>
      <Dialog title={t('purge.title')} isOpen={isOpen} onClose={() => setIsOpen(false)} size="lg">
        <Missing library={library} count={count} />
      </Dialog>
    </>
  )
}

const Missing = ({ library: { id }, count }: MissingBooksProps): ReactNode => {
  const { t } = useTranslation('scans')
  const textOf = useProblemText()
  const nameOf = useItemName()
  const { data, error } = useQuery({
    queryKey: ['missing books', id, count],
    queryFn: ({ signal }) => readMissing(id, count, signal),
    staleTime: 0,
  })
  if (error) return <Notice kind="danger">{textOf(error)}</Notice>
  const left = data === undefined ? 0 : count - data.length
  return (
    <div aria-busy={data === undefined}>
      <RowList label={t('purge.title')}>
        {data?.map((book) => (
          <ListRow
            key={book.id}
            icon="book"
            title={nameOf(book)}
            text={book.path === undefined ? undefined : <code dir="ltr">{book.path}</code>}
          />
        ))}
      </RowList>
      {left > 0 ? <Text quiet>{t('purge.more', { count: left })}</Text> : null}
    </div>
  )
}
