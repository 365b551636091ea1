import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { FieldName } from '../../metadata/fields.ts'
import styles from './source-list.module.css'
import { type SourcesOfField, useSourceText } from '../../metadata/source-text.ts'
import type { Editor } from './use-editor.ts'
import { Unmatch } from '../../metadata/unmatch.tsx'
import { useValueText } from '../../metadata/value-text.ts'
import { Row, Stack, Text } from '../../ui/layout/layout.tsx'
import { useMoment } from './moment.ts'

const ofPlugin = 'plugin:'

interface SourceListProps {
  readonly editor: Editor
  readonly field: FieldName
  readonly sources: SourcesOfField
}

/**
 * It lists the values of all sources for one field, the shown one first; any of them can be chosen, and the user's own
 * can be withdrawn.
 */
export const SourceList = ({ editor, field, sources }: SourceListProps): ReactNode => {
  const { t } = useTranslation('editing')
  const sourceText = useSourceText()
  const valueText = useValueText()
  const moment = useMoment()
  return (
    <Stack as="ul" className={styles.sources}>
      {sources.values.map(({ source, value, at, by, books, of, summaryFrom }) => (
        <Row as="li" gap={3} key={source} className={styles.source} data-shown={source === sources.shown}>
          <Stack grow>
            <Text as="span" quiet size={12} className={styles.who}>
              {by === null ? sourceText(source) : by.username} · {moment(at)}
              {books === undefined || of === undefined ? null : ` · ${t('booksBehind', { books, of })}`}
              {summaryFrom == null ? null : ` · ${t('summaryFrom', { number: summaryFrom })}`}
            </Text>
            <bdi className={styles.value}>{valueText(field, value)}</bdi>
          </Stack>
          {source === 'user' ? (
            <Button size="compact-sm" variant="default" onClick={() => editor.takeBack(field)}>
              {t('takeBack')}
            </Button>
          ) : source === sources.shown ? null : (
            <Button size="compact-sm" variant="default" onClick={() => editor.set(field, value)}>
              {t('use')}
            </Button>
          )}
        </Row>
      ))}
      {sources.values.some(({ source }) => source.startsWith(ofPlugin)) ? (
        <Row as="li" gap={3} className={styles.source}>
          {sources.values
            .filter(({ source }) => source.startsWith(ofPlugin))
            .map(({ source }) => (
              <Unmatch key={source} kind={editor.entity.kind} id={editor.id} plugin={source.slice(ofPlugin.length)} />
            ))}
        </Row>
      ) : null}
    </Stack>
  )
}
