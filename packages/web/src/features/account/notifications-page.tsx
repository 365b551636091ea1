import type { ReactNode } from 'react'
import { AccountPage } from './account-page.tsx'
import { FeedSection } from './feed-section.tsx'
import { WebhookSection } from './webhook-section.tsx'

/** The page sets where the user is told of new books, besides the app. */
export const NotificationSettingsPage = (): ReactNode => (
  <AccountPage>
    <FeedSection />
    <WebhookSection />
  </AccountPage>
)
