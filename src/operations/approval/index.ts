export { answerRequest } from './answer-request.ts';
export { listToolApprovals } from './list-approvals.ts';
export { listRequests } from './list-requests.ts';
export { revokeApproval } from './revoke-approval.ts';
