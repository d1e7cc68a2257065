export { answerRequest, listRequests, listToolApprovals, revokeApproval } from './approvals.ts';
