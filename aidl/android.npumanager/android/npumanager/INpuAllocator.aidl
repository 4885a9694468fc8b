package android.npumanager;

import android.npumanager.FileSegment;
import android.npumanager.NpuBufferGetRequest;

/** Hands out protected NPU buffers to one client. Buffers are named by the client's own ids. */
interface INpuAllocator {
    /** Asks for buffers. Each is answered once, on INpuAllocatorCallback.onGetBuffer. */
    void getBuffers(in NpuBufferGetRequest[] requests);

    /** Says, request by request, whether this device has memory of that kind. */
    boolean[] isSupported(in NpuBufferGetRequest[] requests);

    /** Gives buffers back. */
    void putBuffers(in long[] appReqIds);

    /** Changes how readily a buffer is taken away when memory is short. */
    void setPriority(in long appReqId, in int newBufferPriority);

    /** Fills part of a buffer from a file; answered on INpuAllocatorCallback.onLoad. */
    void loadFileSegmentToBuffer(in long appReqId, in FileSegment fileSegment);
}
