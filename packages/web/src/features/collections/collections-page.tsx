import { addressOf, createCollection, listCollections, readCollectionThumbnail } from '@carrel/api'
import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { basePath } from '../../api/base.ts'
import { useChange } from '../../api/queries.ts'
import { AppLink } from '../../navigation/link.tsx'
import { CardPages } from '../../lists/card-pages.tsx'
import { useItemText } from '../../lists/item-text.ts'
import { NameDialog } from '../../lists/name-dialog.tsx'
import { useGoTo } from '../../lists/use-go-to.ts'
import { pageQuery, pageSize } from '../../lists/use-pages.ts'
import { useMay } from '../../session/me.ts'
import { paths } from '../../navigation/paths.ts'
import { CoverCard } from '../../ui/cover-card.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Page } from '../../ui/page.tsx'
import { EmptyState } from '../../ui/state.tsx'

export const CollectionsPage = (): ReactNode => {
  const { t } = useTranslation('collections')
  const text = useItemText()
  const [isNaming, setNaming] = useState(false)
  const goTo = useGoTo()
  const create = useChange(createCollection, {
    invalidates: [listCollections],
    onDone: ({ id }) => goTo(paths.collection(id))(),
  })
  const newButton = useMay('collections:write') ? (
    <Button leftSection={<Icon name="plus" size="small" />} onClick={() => setNaming(true)}>
      {t('new')}
    </Button>
  ) : undefined
  return (
    <Page title={t('title')} actions={newButton}>
      <CardPages
        label={t('title')}
        source={{ key: 'collections', page: (page) => pageQuery(listCollections, { query: { page, pageSize } }) }}
        empty={<EmptyState icon="collection" title={t('none')} text={t('noneText')} />}
        renderCard={({ id, name, seriesCount, updatedAt }, { focus }) => (
          <CoverCard
            title={name}
            subtitle={text.count('series', seriesCount)}
            src={
              seriesCount === 0
                ? null
                : `${basePath}${addressOf(readCollectionThumbnail, { params: { id } })}?${updatedAt}`
            }
            icon="collection"
            to={paths.collection(id)}
            link={AppLink}
            focus={focus}
          />
        )}
      />
      {isNaming ? (
        <NameDialog
          title={t('new')}
          before={{ name: '', summary: null, ordered: false }}
          error={create.error}
          isPending={create.isPending}
          onSave={(body) => create.mutate({ body })}
          onClose={() => setNaming(false)}
        />
      ) : null}
    </Page>
  )
}
