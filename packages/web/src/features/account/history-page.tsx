import { addressOf, exportReadingHistory, historyBytesMax, historyFormats, importReadingHistory } from '@carrel/api'
import { Button, FileButton } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { basePath } from '../../api/base.ts'
import { useChange } from '../../api/queries.ts'
import { useGoTo } from '../../lists/search/use-go-to.ts'
import { useMay } from '../../session/me.ts'
import { paths } from '../../navigation/paths.ts'
import { useProblemText } from '../../text/problem-text.ts'
import { Icon } from '../../ui/icon.tsx'
import { Row } from '../../ui/layout/layout.tsx'
import { Section } from '../../ui/layout/page.tsx'
import { Notice } from '../../ui/state/state.tsx'
import { AccountPage } from './account-page.tsx'
import { ImportReport } from './import-report.tsx'

const route = getRouteApi('/signed-in/framed/account/history')

/** One's whole reading history, to take along and to bring in. */
export const HistoryPage = (): ReactNode => (
  <AccountPage>
    <Export />
    {useMay('progress:write') ? <Import /> : null}
  </AccountPage>
)

const Export = (): ReactNode => {
  const { t } = useTranslation('account')
  return (
    <Section title={t('export.title')} text={t('export.text')}>
      <Row gap={2} align="stretch" wrap>
        {historyFormats.map((format) => (
          <Button
            key={format}
            component="a"
            variant="default"
            href={basePath + addressOf(exportReadingHistory, { query: { format } })}
            download={`reading-history.${format}`}
            leftSection={<Icon name="download" size="small" />}
          >
            {t(`export.${format}`)}
          </Button>
        ))}
      </Row>
    </Section>
  )
}

const Import = (): ReactNode => {
  const { t } = useTranslation('account')
  const textOf = useProblemText()
  const goTo = useGoTo()
  const { import: importId } = route.useSearch()
  const [isTooLarge, setTooLarge] = useState(false)
  const bring = useChange(importReadingHistory, { onDone: ({ id }) => goTo(paths.accountHistory({ import: id }))() })
  const take = async (file: File | null): Promise<void> => {
    if (file === null) return
    setTooLarge(file.size > historyBytesMax)
    if (file.size <= historyBytesMax) bring.mutate({ body: new Uint8Array(await file.arrayBuffer()) })
  }
  const problem = isTooLarge ? t('import.tooLarge') : bring.error ? textOf(bring.error) : undefined
  return (
    <Section title={t('import.title')} text={t('import.text')}>
      {problem === undefined ? null : <Notice kind="danger">{problem}</Notice>}
      <div>
        <FileButton onChange={(file) => void take(file)} accept=".json,.csv,application/json,text/csv">
          {({ onClick }) => (
            <Button
              variant="default"
              loading={bring.isPending}
              leftSection={<Icon name="upload" size="small" />}
              onClick={onClick}
            >
              {t('import.choose')}
            </Button>
          )}
        </FileButton>
      </div>
      {importId === undefined ? null : <ImportReport key={importId} id={importId} />}
    </Section>
  )
}
