import type { MetadataChange } from '@carrel/api'
import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLater } from '../../api/queries.ts'
import { Section } from '../../ui/layout/page.tsx'
import styles from './history.module.css'
import { useMoment } from './moment.ts'
import { useSourceText } from '../../metadata/source-text.ts'
import type { Editor } from './use-editor.ts'
import { useFieldText, useValueText } from '../../metadata/value-text.ts'
import { Columns, Row, Stack, Text } from '../../ui/layout/layout.tsx'

const fewAtFirst = 5
const manyThen = 50

/** The history shows all changes, the newest first; each change made by a user can be reverted. */
export const History = ({ editor }: { readonly editor: Editor }): ReactNode => {
  const { t } = useTranslation('editing')
  const { entity, id } = editor
  const [pageSize, setPageSize] = useState(fewAtFirst)
  const { data } = useLater(entity.history, { params: { id }, query: { pageSize } }, { keepPrevious: true })
  if (data === undefined || data.total === 0) return null
  return (
    <Section title={t('history')}>
      <Stack as="ol" gap={2} className={styles.changes}>
        {data.data.map((change) => (
          <Past key={change.id} editor={editor} change={change} />
        ))}
      </Stack>
      {data.total > data.data.length && pageSize < manyThen ? (
        <Button variant="default" className={styles.more ?? ''} onClick={() => setPageSize(manyThen)}>
          {t('earlier')}
        </Button>
      ) : null}
    </Section>
  )
}

interface PastProps {
  readonly editor: Editor
  readonly change: MetadataChange
}

const Past = ({ editor, change }: PastProps): ReactNode => {
  const { t } = useTranslation('editing')
  const moment = useMoment()
  const sourceText = useSourceText()
  const fieldText = useFieldText()
  const valueText = useValueText()
  const { id, at, by, source, reason, changes, undoneBy } = change
  return (
    <li className={styles.change} data-undone={undoneBy !== null}>
      <Row gap={2} justify="between" wrap>
        <Text as="span" quiet size={13}>
          {t(`reason.${reason}`)} · {by === null ? sourceText(source) : by.username} · {moment(at)}
        </Text>
        {undoneBy === null ? (
          <Button
            size="compact-sm"
            variant="default"
            aria-label={t('undoChangeOf', { at: moment(at) })}
            onClick={() => editor.undo(id)}
          >
            {t('undoChange')}
          </Button>
        ) : (
          <Text as="span" quiet size={13}>
            {t('isUndone')}
          </Text>
        )}
      </Row>
      <Stack as="dl" gap={1} className={styles.fields}>
        {changes.map(({ field, before, after }) => (
          <Columns gap={3} key={field} className={styles.field}>
            <dt>{fieldText(field)}</dt>
            <dd>
              <del>{valueText(field, before)}</del> → <ins>{valueText(field, after)}</ins>
            </dd>
          </Columns>
        ))}
      </Stack>
    </li>
  )
}
