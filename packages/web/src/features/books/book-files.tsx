import { type BookDetail, type BookFile, chooseBookFile, readBook } from '@carrel/api'
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/queries.ts'
import { useItemText } from '../../lists/item/item-text.ts'
import { useMay } from '../../session/me.ts'
import { useProblemText } from '../../text/problem-text.ts'
import { Row, Stack, Text } from '../../ui/layout/layout.tsx'
import { toast } from '../../ui/state/toasts.tsx'

/** The formats in which a book is there, and which of them is read; those who may edit it choose another. */
export const BookFiles = ({ book }: { readonly book: BookDetail }): ReactNode => {
  const { t } = useTranslation('books')
  const text = useItemText()
  const mayEdit = useMay('books:write')
  const choose = useChoose(book)
  return (
    <Stack as="ul" gap={1}>
      {book.files.map((file) => (
        <Row as="li" key={file.id} gap={2} align="baseline" wrap>
          <span>{`${nameOf(file)}, ${text.size(file.size)}`}</span>
          {file.chosen ? (
            <Text as="span" quiet size={13}>
              {t('files.chosen')}
            </Text>
          ) : null}
          {!file.chosen && mayEdit ? (
            <Button size="compact-xs" variant="default" onClick={() => choose(file)}>
              {t('files.choose', { format: nameOf(file) })}
            </Button>
          ) : null}
        </Row>
      ))}
    </Stack>
  )
}

export const nameOf = ({ format }: BookFile): string => format.toUpperCase()

/** It says which file is read from now on, and offers to read the one before again. */
const useChoose = ({ id, files }: BookDetail): ((file: BookFile) => void) => {
  const { t } = useTranslation('books')
  const textOf = useProblemText()
  const change = useChange(chooseBookFile, { invalidates: [readBook] })
  const onError = (error: unknown): void => toast({ kind: 'problem', text: textOf(error) })
  const put = (fileId: string, onSuccess?: () => void): void =>
    change.mutate({ params: { id }, body: { fileId } }, { onError, ...(onSuccess && { onSuccess }) })
  return (file) => {
    const before = files.find(({ chosen }) => chosen)
    put(file.id, () =>
      toast({
        text: t('files.nowChosen', { format: nameOf(file) }),
        ...(before && { undo: () => put(before.id) }),
      }),
    )
  }
}
